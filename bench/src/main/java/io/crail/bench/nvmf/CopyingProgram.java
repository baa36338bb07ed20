// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import com.sun.nio.file.ExtendedOpenOption;
import io.crail.bench.limit.Peer;
import io.crail.bench.limit.PieceStream;
import io.crail.error.CancelledException;
import io.crail.error.TimeoutException;
import io.crail.nvmf.target.memory.HugePages;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the device gives to a program that does something with the bytes, and nothing else: as many
 * threads as accesses are under way, each with a piece of its own in huge pages, past the page
 * cache. They copy what they have read, and write what they have copied, without a target, without
 * a socket, without another process; or they send it to another process by a blocking socket each,
 * and write what they receive from there: the least that whoever serves a device does.
 *
 * <p>fio does not look at what it reads, nor make what it writes. On a virtual disk that is some of
 * its speed: whoever emulates the disk copies, too, and shares caches and cores with those who
 * look.
 *
 * <p>For one thread at a time.
 */
final class CopyingProgram implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final FileChannel channel;
    private final Access access;
    private final long places;
    private final String call;
    private final ExecutorService threads;
    private final List<Piece> pieces = new ArrayList<>();
    private final AtomicLong next = new AtomicLong();

    /** A piece at the device, and what is done with it. */
    private record Piece(ByteBuffer direct, PieceUse use) {}

    private CopyingProgram(
            FileChannel channel, Access access, long bytes, String call, List<PieceUse> uses) {
        this.channel = channel;
        this.access = access;
        this.places = bytes / access.bytes();
        this.call = call;
        ByteBuffer memory = HugePages.allocate(access.depth() * access.bytes());
        for (PieceUse use : uses) {
            pieces.add(
                    new Piece(memory.slice(pieces.size() * access.bytes(), access.bytes()), use));
        }
        this.threads =
                Executors.newFixedThreadPool(
                        access.depth(),
                        work -> {
                            Thread thread = new Thread(work, "copying-program");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * Opens a file, to copy from it to memory, or from memory to it.
     *
     * @param access in sequence; bytes are a multiple of what the device takes past the page cache
     * @param bytes of the file that are used
     */
    static CopyingProgram on(Path file, Access access, long bytes) throws IOException {
        boolean write = access.kind().isWrite();
        List<PieceUse> uses = new ArrayList<>();
        for (int i = 0; i < access.depth(); i++) {
            uses.add(new PieceUse.Copy(ByteBuffer.allocateDirect(access.bytes()), write));
        }
        return open(file, access, bytes, "copy", uses);
    }

    /**
     * Opens a file, to send what it reads to a peer, or to write what it receives from there, by a
     * TCP connection for each thread.
     *
     * @param access in sequence; bytes are a multiple of what the device takes past the page cache
     * @param bytes of the file that are used
     */
    static CopyingProgram to(Peer peer, Path file, Access access, long bytes) throws IOException {
        boolean write = access.kind().isWrite();
        List<PieceUse> uses = new ArrayList<>();
        boolean complete = false;
        try {
            for (int i = 0; i < access.depth(); i++) {
                uses.add(new PieceUse.Transfer(new PieceStream(peer, !write)));
            }
            CopyingProgram program = open(file, access, bytes, write ? "receive" : "send", uses);
            complete = true;
            return program;
        } finally {
            if (!complete) {
                close(uses);
            }
        }
    }

    private static CopyingProgram open(
            Path file, Access access, long bytes, String call, List<PieceUse> uses)
            throws IOException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        access.kind().isWrite()
                                ? StandardOpenOption.WRITE
                                : StandardOpenOption.READ,
                        ExtendedOpenOption.DIRECT);
        boolean complete = false;
        try {
            CopyingProgram program = new CopyingProgram(channel, access, bytes, call, uses);
            complete = true;
            return program;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    /** The calls that it makes, and its threads. */
    String name() {
        return (access.kind().isWrite() ? call + " + pwrite" : "pread + " + call)
                + ", "
                + access.depth()
                + " threads";
    }

    /** Runs until the time is up; returns bytes in a second. */
    double run(long nanos) throws IOException {
        long start = System.nanoTime();
        List<Future<Long>> counts = new ArrayList<>();
        for (Piece piece : pieces) {
            counts.add(threads.submit(() -> keepOn(piece, start + nanos)));
        }
        long done = 0;
        try {
            for (Future<Long> each : counts) {
                done += each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("direct access to the measured file failed", e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException(
                    "the device has not answered for " + PATIENCE_SECONDS + " s", e);
        }
        return done * (double) access.bytes() * 1e9 / (System.nanoTime() - start);
    }

    private long keepOn(Piece piece, long end) throws IOException {
        long count = 0;
        do {
            long position = next.getAndIncrement() % places * access.bytes();
            if (access.kind().isWrite()) {
                piece.use.with(piece.direct);
                write(piece.direct.duplicate(), position);
            } else {
                read(piece.direct.duplicate(), position);
                piece.use.with(piece.direct);
            }
            count++;
        } while (System.nanoTime() - end < 0);
        return count;
    }

    private void read(ByteBuffer direct, long position) throws IOException {
        while (direct.hasRemaining()) {
            if (channel.read(direct, position + direct.position()) < 0) {
                throw new EOFException("the measured file has become shorter");
            }
        }
    }

    private void write(ByteBuffer direct, long position) throws IOException {
        while (direct.hasRemaining()) {
            channel.write(direct, position + direct.position());
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        try (channel) {
            close(pieces.stream().map(Piece::use).toList());
        }
    }

    private static void close(List<PieceUse> uses) throws IOException {
        IOException first = null;
        for (PieceUse each : uses) {
            try {
                each.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
