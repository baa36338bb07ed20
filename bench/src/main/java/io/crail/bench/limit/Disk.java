// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import com.sun.nio.file.ExtendedOpenOption;
import io.crail.error.CancelledException;
import io.crail.error.TimeoutException;
import io.crail.nvmf.target.memory.HugePages;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a disk does with a file of its own, without crail: pieces of 1 MiB one behind the other, 8
 * under way, past the page cache where the file system permits it. What is written counts when the
 * system call has returned, as it does for a flash tier, and data lies in huge pages, as there.
 *
 * <p>Belongs to one thread, which lets others wait for the disk. Each of these has a buffer of its
 * own, and takes the next piece from a counter.
 */
public final class Disk implements AutoCloseable {
    /** Bytes of an access. */
    public static final int PIECE = 1 << 20;

    private static final int UNDER_WAY = 8;

    /** Units of direct I/O: a multiple of any block of a device. */
    private static final int UNIT = 4096;

    private final Path path;
    private final boolean direct;
    private final FileChannel channel;
    private final long pieces;
    private final Duration bound;
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(UNDER_WAY, Disk::thread);
    private long nextWritten;
    private long nextRead;

    private Disk(Path path, boolean direct, FileChannel channel, long pieces, Duration bound) {
        this.path = path;
        this.direct = direct;
        this.channel = channel;
        this.pieces = pieces;
        this.bound = bound;
        SplittableRandom random = new SplittableRandom(pieces);
        ByteBuffer all = HugePages.allocate(UNDER_WAY * PIECE);
        for (int i = 0; i < UNDER_WAY; i++) {
            ByteBuffer buffer = all.slice(i * PIECE, PIECE);
            // Nothing that a device could leave out or make smaller.
            for (int at = 0; at < PIECE; at += Long.BYTES) {
                buffer.putLong(at, random.nextLong());
            }
            buffers.add(buffer);
        }
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "disk");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Makes a file, which is removed when this is closed.
     *
     * @param directory where
     * @param bytes that the file has at most: whole pieces; who goes on begins again at its start
     * @param bound longest time of a call
     */
    public static Disk in(Path directory, long bytes, Duration bound) throws IOException {
        Path path = Files.createTempFile(directory, "limit-", ".img");
        boolean opened = false;
        try {
            boolean direct = takesDirectIo(path);
            FileChannel channel = open(path, direct);
            opened = true;
            return new Disk(path, direct, channel, Math.max(1, bytes / PIECE), bound);
        } finally {
            if (!opened) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Whether a file in a directory can be read and written past the page cache. */
    public static boolean isDirectIn(Path directory) throws IOException {
        Path probe = Files.createTempFile(directory, "probe-", ".img");
        try {
            return takesDirectIo(probe);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static boolean takesDirectIo(Path file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * UNIT).alignedSlice(UNIT);
        try (FileChannel channel = open(file, true)) {
            return channel.write(buffer.limit(UNIT), 0) == UNIT;
        } catch (IOException | UnsupportedOperationException e) {
            if (Files.isWritable(file)) {
                return false;
            }
            throw e;
        }
    }

    private static FileChannel open(Path file, boolean direct) throws IOException {
        Set<OpenOption> options =
                new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        return FileChannel.open(file, options);
    }

    /** Whether it goes past the page cache. */
    public boolean isDirect() {
        return direct;
    }

    /** What tables call it. */
    public String name() {
        return direct ? "disk, direct I/O" : "disk, page cache";
    }

    /**
     * Writes behind what was written before.
     *
     * @return nanoseconds that it took
     */
    public long write(long bytes) throws IOException {
        long first = nextWritten;
        nextWritten += count(bytes);
        return run(first, nextWritten, this::write);
    }

    /**
     * Reads behind what was read before; all of it must have been written.
     *
     * @return nanoseconds that it took
     */
    public long read(long bytes) throws IOException {
        long first = nextRead;
        nextRead += count(bytes);
        return run(first, nextRead, this::read);
    }

    private static long count(long bytes) {
        return Math.max(1, (bytes + PIECE - 1) / PIECE);
    }

    private interface Access {
        void piece(ByteBuffer buffer, long position) throws IOException;
    }

    private void write(ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer, position + buffer.position());
        }
    }

    private void read(ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new EOFException(path + " ends before " + (position + PIECE));
            }
        }
    }

    private long run(long first, long end, Access access) throws IOException {
        AtomicLong next = new AtomicLong(first);
        long start = System.nanoTime();
        List<Future<?>> all = new ArrayList<>();
        for (ByteBuffer buffer : buffers) {
            all.add(
                    threads.submit(
                            () -> {
                                for (long piece = next.getAndIncrement();
                                        piece < end;
                                        piece = next.getAndIncrement()) {
                                    access.piece(
                                            buffer.clear().limit(PIECE), piece % pieces * PIECE);
                                }
                                return null;
                            }));
        }
        for (Future<?> each : all) {
            await(each, start + bound.toNanos());
        }
        return System.nanoTime() - start;
    }

    private void await(Future<?> work, long deadline) throws IOException {
        try {
            work.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the disk of " + path + " fails: " + e.getCause(), e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("the disk of " + path + " needs more than " + bound, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while the disk was measured", e);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        try {
            channel.close();
        } finally {
            Files.deleteIfExists(path);
        }
    }
}
