// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.protocol.segment.SessionLayout;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A client process that is stopped and woken. Between {@link #stopInTheMiddle} and {@link #wake} no
 * thread of it runs. Not thread-safe.
 */
final class Sleeper implements AutoCloseable {
    /** Tries to stop it at a wanted place, a few milliseconds each. */
    private static final int TRIES = 2_000;

    private static final long LONGEST_RUN_NANOS = 3_000_000;
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Whether a client may be stopped where it is. */
    @FunctionalInterface
    interface Place {
        boolean isHere(Sleeper sleeper);
    }

    private final Class<?> main;
    private final ProcessCluster cluster;
    private final boolean sharedMemory;
    private final Path boardFile;
    private final Board board;
    private ClientProcess process;

    Sleeper(Class<?> main, ProcessCluster cluster, boolean sharedMemory, Path directory)
            throws IOException {
        this.main = main;
        this.cluster = cluster;
        this.sharedMemory = sharedMemory;
        this.boardFile = directory.resolve("board");
        this.board = Board.open(boardFile);
        this.process = start();
    }

    private ClientProcess start() {
        return ClientProcess.start(
                main,
                cluster.namenodeAddress(),
                Boolean.toString(sharedMemory),
                boardFile.toString());
    }

    Board board() {
        return board;
    }

    /** Tells it what to do; it works until it reads the next line. */
    void begin(String command) {
        board.idle();
        process.send(command);
    }

    void awaitBusy() {
        long until = System.nanoTime() + BOUND.toNanos();
        while (!board.isBusy()) {
            Optional<String> said = process.poll();
            if (said.isPresent()) {
                throw new AssertionError("ended before it was stopped: " + said.get());
            }
            if (System.nanoTime() > until) {
                throw new AssertionError("did not begin within " + BOUND);
            }
            LockSupport.parkNanos(100_000); // A poll interval.
        }
    }

    /** Stops it at a moment of chance, again and again until it is at such a place. */
    void stopInTheMiddle(Random random, Place place) {
        awaitBusy();
        for (int tries = 0; tries < TRIES; tries++) {
            // How long it runs decides at which instruction it is stopped, and nothing else.
            LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_RUN_NANOS));
            process.pause();
            if (board.isBusy() && place.isHere(this)) {
                return;
            }
            process.resume();
        }
        throw new AssertionError("was never stopped where it was to be");
    }

    /** What goes on while it wakes. */
    @FunctionalInterface
    interface Traffic {
        void goOn() throws IOException;
    }

    /** Wakes it with a last line to read; what it says at its end. */
    String wake(Traffic meanwhile) throws IOException {
        process.send("finish");
        process.resume();
        long until = System.nanoTime() + BOUND.toNanos();
        while (System.nanoTime() < until) {
            meanwhile.goOn();
            Optional<String> said = process.poll();
            if (said.isPresent()) {
                return said.get();
            }
        }
        throw new AssertionError("said nothing within " + BOUND);
    }

    /** Kills it as it sleeps; another one takes its place. */
    void killAsleep() {
        process.kill();
        process = start();
    }

    /** Whether a thread of it is just copying into shared memory. */
    boolean isPinnedForWriting() {
        return pins(true) > 0;
    }

    /** Whether it looks at shared memory in place. */
    boolean isPinnedForReading() {
        return pins(false) > 0;
    }

    /**
     * Counts its pins in its session file. No other client's file may be opened here: closing it
     * would release the lock of a client in this very process.
     */
    private int pins(boolean forWriting) {
        Path descriptors = Path.of("/proc", Long.toString(process.pid()), "fd");
        try (Stream<Path> links = Files.list(descriptors)) {
            return links.toList().stream()
                    .map(Sleeper::target)
                    .filter(Sleeper::isSessionFile)
                    .mapToInt(file -> pins(file, forWriting))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path target(Path link) {
        try {
            return Files.readSymbolicLink(link);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSessionFile(Path file) {
        Path parent = file.getParent();
        return parent != null
                && parent.endsWith(SessionLayout.DIRECTORY)
                && SessionLayout.isFileName(String.valueOf(file.getFileName()));
    }

    private static int pins(Path file, boolean forWriting) {
        ByteBuffer content;
        try {
            content = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        } catch (NoSuchFileException e) {
            return 0; // The server has removed it: the session has ended.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int pins = 0;
        for (int slot = 0; slot < content.getInt(SessionLayout.HIGH_WATER_OFFSET); slot++) {
            long word = content.getLong(SessionLayout.slotOffset(slot) + SessionLayout.SLOT_BLOCK);
            if (SessionLayout.isUsed(word) && SessionLayout.isForWriting(word) == forWriting) {
                pins++;
            }
        }
        return pins;
    }

    @Override
    public void close() {
        process.close();
    }
}
