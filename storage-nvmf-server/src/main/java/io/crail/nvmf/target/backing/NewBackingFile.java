// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import io.crail.nvmf.target.backing.BackingException.Reason;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backing file in the making. It is made under another name and moved to its own when it is
 * complete: a file under its name has its size and, if it was to be written, its space, whatever
 * ended the process that made it. What such an end left is replaced by the next attempt.
 *
 * <p>Who makes it has the file under the other name locked, until it has its own: of two processes
 * that come together one makes it, and the other is told so. A lock that is had only when the file
 * has its own name already is one for a file that somebody else has finished.
 */
public final class NewBackingFile {
    private static final Logger LOG = LoggerFactory.getLogger(NewBackingFile.class);
    private static final int STEP = 1 << 20;

    /** Who waits for a large file wants to know how far it is. */
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private NewBackingFile() {}

    /**
     * Makes a file unless there is one.
     *
     * @param path where
     * @param bytes size, a multiple of 4096
     * @param allocation how it gets its space
     * @throws BackingException if there is no room, or a file of another size is there
     */
    public static void ensure(Path path, long bytes, Allocation allocation)
            throws BackingException {
        if (bytes <= 0 || bytes % DataPool.ALIGNMENT != 0) {
            throw new BackingException(
                    Reason.INVALID,
                    "the size of "
                            + path
                            + " must be a multiple of "
                            + DataPool.ALIGNMENT
                            + ", not "
                            + bytes,
                    null);
        }
        try {
            if (Files.exists(path)) {
                checkSize(path, bytes);
                return;
            }
            make(path, bytes, allocation);
        } catch (BackingException e) {
            throw e;
        } catch (IOException e) {
            throw uncreated(path, bytes, e);
        }
    }

    /** The text of such an error is for people, so what it is about is looked up. */
    private static BackingException uncreated(Path path, long bytes, IOException cause) {
        String message = "cannot create " + path + ": " + cause;
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            return new BackingException(
                    Reason.INVALID,
                    message + "; make the directory " + directory + ", or name another one",
                    cause);
        }
        if (!Files.isWritable(directory)) {
            return new BackingException(
                    Reason.DENIED,
                    message
                            + "; "
                            + directory
                            + " must be writable for the user of this process: change its rights,"
                            + " or name another one",
                    cause);
        }
        // What was written so far has been removed again: a file system that is full has less.
        boolean known = directory.toFile().getTotalSpace() > 0;
        if (known && directory.toFile().getUsableSpace() < bytes) {
            return new BackingException(
                    Reason.NO_SPACE, message + "; choose a smaller size or another place", cause);
        }
        return new BackingException(
                Reason.FAILED, message + "; look after the device of " + directory, cause);
    }

    private static void checkSize(Path path, long bytes) throws IOException {
        if (Files.isRegularFile(path) && Files.size(path) != bytes) {
            throw new BackingException(
                    Reason.INVALID,
                    path
                            + " has "
                            + Files.size(path)
                            + " bytes, "
                            + bytes
                            + " were asked for; name its size, or another file: one that holds"
                            + " blocks is neither cut nor grown",
                    null);
        }
    }

    private static void make(Path path, long bytes, Allocation allocation) throws IOException {
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null) {
            throw new BackingException(Reason.INVALID, path + " is a directory; name a file", null);
        }
        checkSpace(directory, path, bytes);
        Path unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
        try (FileChannel channel = open(unfinished)) {
            lock(path, channel);
            if (Files.exists(path)) {
                removeEmpty(unfinished);
                checkSize(path, bytes);
                return;
            }
            LOG.info("Creating {} with {} bytes, {}", path, bytes, allocation);
            boolean done = false;
            try {
                channel.truncate(0);
                if (allocation == Allocation.WRITTEN) {
                    fill(path, channel, bytes);
                } else {
                    channel.write(ByteBuffer.allocate(1), bytes - 1);
                }
                channel.force(true);
                Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
                done = true;
            } finally {
                if (!done) {
                    Files.deleteIfExists(unfinished);
                }
            }
        }
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    private static void lock(Path path, FileChannel channel) throws IOException {
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new BackingException(
                    Reason.IN_USE, path + " is being made by this process already", e);
        }
        if (lock == null) {
            throw new BackingException(
                    Reason.IN_USE,
                    path
                            + " is being made by another process; only one target may serve it:"
                            + " choose another file, or end that process",
                    null);
        }
    }

    /** What opening has made although the file was there by then; nobody fills it any more. */
    private static void removeEmpty(Path unfinished) throws IOException {
        if (Files.exists(unfinished) && Files.size(unfinished) == 0) {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void checkSpace(Path directory, Path path, long bytes) throws IOException {
        long usable = directory.toFile().getUsableSpace();
        boolean known = directory.toFile().getTotalSpace() > 0;
        if (known && usable < bytes) {
            throw new BackingException(
                    Reason.NO_SPACE,
                    path
                            + " needs "
                            + bytes
                            + " bytes, its file system has "
                            + usable
                            + "; choose a smaller size or another place",
                    null);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static void fill(Path path, FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(STEP);
        long told = System.nanoTime();
        for (long at = 0; at < bytes; at += zeros.position()) {
            zeros.clear().limit((int) Math.min(STEP, bytes - at));
            while (zeros.hasRemaining()) {
                channel.write(zeros, at + zeros.position());
            }
            if (System.nanoTime() - told > PROGRESS_NANOS) {
                told = System.nanoTime();
                LOG.info("{}: {} of {} MiB written", path, at >> 20, bytes >> 20);
            }
        }
    }
}
