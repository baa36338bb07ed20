// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.shared;

import io.crail.nvmf.target.memory.HugePages;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files in memory that a target shares with hosts, and how much they may take together.
 *
 * <p><b>Bounds.</b> A file counts from when it is made until the collector has taken its mapping,
 * since Java unmaps no sooner. Who asks while the limit is reached gets none, and its data goes
 * through the socket; if queues that have ended hold what is missing, the collector is asked to
 * look, not more often than every ten seconds.
 *
 * <p><b>Names.</b> A file has a name from when it is made until its host has mapped it, and is
 * readable by this user only. Its name is random, so who finds it is on this machine and was told.
 * Before that stands the name of the target, which finds by it what a killed one has left.
 *
 * <p>Thread-safe.
 */
public final class SharedMemory {
    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final String SEPARATOR = ".";
    private static final String SOCKET = "socket";
    private static final String FILLER = ".filler";
    private static final int ZEROS = 256 << 10;

    /** Of the file system's free bytes a new file takes one part of so many at most. */
    private static final int PART_OF_FREE = 4;

    private static final long COLLECT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Path directory;
    private final UUID owner;
    private final long limit;
    private long mapped;
    private long ended;
    private long nextCollection = System.nanoTime();

    private SharedMemory(Path directory, UUID owner, long limit) {
        this.directory = directory;
        this.owner = owner;
        this.limit = limit;
    }

    /**
     * Begins with no file of its owner.
     *
     * @param directory in memory, readable by this user only
     * @param owner of files there; no other one that lives has the same
     * @param limit bytes that all files may take together
     */
    public static SharedMemory open(Path directory, UUID owner, long limit) throws IOException {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(directory, owner + SEPARATOR + "*")) {
            for (Path each : files) {
                Files.deleteIfExists(each);
            }
        }
        return new SharedMemory(directory, owner, limit);
    }

    /** Where a Unix socket of the owner may be: whatever one that was killed left was removed. */
    public Path socket() {
        return directory.resolve(owner + SEPARATOR + SOCKET);
    }

    /** A file in memory and its mapping; closed once. */
    final class SharedFile {
        private final Path path;
        private final int bytes;
        private final MappedByteBuffer memory;

        private SharedFile(Path path, MappedByteBuffer memory) {
            this.path = path;
            this.bytes = memory.capacity();
            this.memory = memory;
        }

        Path path() {
            return path;
        }

        ByteBuffer memory() {
            return memory;
        }

        /** Takes the name away. */
        void unlink() {
            SharedMemory.unlink(path);
        }

        /** Nobody will use the mapping any more. */
        void close() {
            unlink();
            synchronized (SharedMemory.this) {
                ended += bytes;
            }
        }
    }

    /** A file whose pages are there, marked with its name; null if there is no memory for it. */
    @Nullable SharedFile make(int bytes) {
        if (!reserve(bytes)) {
            return null;
        }
        String name = owner + SEPARATOR + UUID.randomUUID();
        Path path = directory.resolve(name);
        MappedByteBuffer memory = null;
        try {
            memory = map(path, bytes);
            memory.put(0, SharedMemoryCommand.mark(name), 0, SharedMemoryCommand.MARK_SIZE);
            return new SharedFile(path, memory);
        } catch (IOException e) {
            LOG.debug("Cannot share {} bytes with a host", bytes, e);
            return null;
        } finally {
            if (memory == null) {
                unlink(path);
                release(bytes, false);
            } else {
                CLEANER.register(memory, () -> release(bytes, true));
            }
        }
    }

    private MappedByteBuffer map(Path path, int bytes) throws IOException {
        if (directory.toFile().getUsableSpace() / PART_OF_FREE < bytes) { // by statvfs
            throw new IOException("the file system of " + directory + " is nearly full");
        }
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        OWNER_ONLY)) {
            // Written, so that no access fails later for lack of memory.
            ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS, bytes));
            for (long at = 0; at < bytes; at += zeros.limit()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                while (zeros.hasRemaining()) {
                    channel.write(zeros, at + zeros.position());
                }
            }
            try (FileChannel filler = filler(path)) {
                return HugePages.map(channel, filler, bytes);
            }
        }
    }

    /** An empty file without a name. */
    private static FileChannel filler(Path path) throws IOException {
        return FileChannel.open(
                path.resolveSibling(path.getFileName() + FILLER),
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE), // On Linux, when it is open.
                OWNER_ONLY);
    }

    private boolean reserve(int bytes) {
        boolean collect;
        synchronized (this) {
            if (mapped + bytes <= limit) {
                mapped += bytes;
                return true;
            }
            long now = System.nanoTime();
            collect = ended >= bytes && now - nextCollection >= 0;
            if (collect) {
                nextCollection = now + COLLECT_NANOS;
            }
        }
        if (collect) {
            System.gc();
        }
        return false;
    }

    private synchronized void release(int bytes, boolean wasMapped) {
        mapped -= bytes;
        ended -= wasMapped ? bytes : 0;
    }

    /** Bytes that are shared now; those of queues that have ended are not. */
    public synchronized long shared() {
        return mapped - Math.max(0, ended);
    }

    private static void unlink(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}", path, e.toString());
        }
    }
}
