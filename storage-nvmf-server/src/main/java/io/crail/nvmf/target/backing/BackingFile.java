// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import com.sun.nio.file.ExtendedOpenOption;
import io.crail.nvmf.target.backing.BackingException.Reason;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A regular file or a block device as a medium.
 *
 * <p>The file is locked for as long as it is open, so that two targets cannot serve it. The kernel
 * drops that lock when any descriptor of the file in this process is closed, so all are opened, and
 * those of probes closed, before it is taken, and all are closed together.
 *
 * <p>Thread-safe. There are several descriptors because a FileChannel registers each thread that
 * blocks in it under one lock; threads choose theirs by their number. No thread that comes here may
 * be interrupted: that would close the channel for all.
 */
public final class BackingFile implements Medium {
    private static final Logger LOG = LoggerFactory.getLogger(BackingFile.class);
    private static final int CHANNELS = 4;
    private static final int[] ALIGNMENTS = {512, DataPool.ALIGNMENT};

    private final Path path;
    private final FileChannel[] channels;
    private final int alignment;
    private final long bytes;

    private BackingFile(Path path, List<FileChannel> channels, int alignment, long bytes) {
        this.path = path;
        this.channels = channels.toArray(new FileChannel[0]);
        this.alignment = alignment;
        this.bytes = bytes;
    }

    /**
     * Opens a file or a block device that exists.
     *
     * @throws BackingException if it cannot be served
     */
    public static BackingFile open(Path path, DirectIo direct) throws BackingException {
        if (Files.isDirectory(path)) {
            throw new BackingException(
                    Reason.INVALID, path + " is a directory; name a file or a block device", null);
        }
        int alignment = direct == DirectIo.OFF ? 1 : probe(path, direct == DirectIo.REQUIRED);
        List<FileChannel> channels = new ArrayList<>();
        boolean done = false;
        try {
            for (int index = 0; index < CHANNELS; index++) {
                channels.add(channel(path, alignment > 1));
            }
            lock(path, channels.get(0));
            long size = channels.get(0).size() & -DataPool.ALIGNMENT;
            if (size == 0) {
                throw new BackingException(
                        Reason.INVALID,
                        path
                                + " has less than "
                                + DataPool.ALIGNMENT
                                + " bytes to serve; name another file or device",
                        null);
            }
            LOG.info("Serving {}: {} bytes, direct I/O {}", path, size, describe(alignment));
            done = true;
            return new BackingFile(path, channels, alignment, size);
        } catch (BackingException e) {
            throw e;
        } catch (IOException e) {
            throw unopened(path, e);
        } finally {
            if (!done) {
                closeQuietly(channels);
            }
        }
    }

    private static String describe(int alignment) {
        return alignment == 1 ? "off" : "in units of " + alignment + " bytes";
    }

    /** The smallest unit that works with direct I/O, 1 where none does. */
    private static int probe(Path path, boolean required) throws BackingException {
        @Nullable Exception reason = null;
        for (int unit : ALIGNMENTS) {
            try (FileChannel channel = channel(path, true)) {
                ByteBuffer piece = DataPool.aligned(2 * unit).slice(unit, unit);
                channel.read(piece, unit);
                return unit;
            } catch (IOException | UnsupportedOperationException e) {
                reason = e;
            }
        }
        if (!Files.exists(path) || !mayUse(path)) {
            throw unopened(path, reason);
        }
        if (required) {
            throw new BackingException(
                    Reason.INVALID,
                    "cannot open "
                            + path
                            + " for direct I/O: "
                            + reason
                            + "; serve a file on ext4 or XFS, or a block device, or allow buffered"
                            + " I/O",
                    reason);
        }
        LOG.warn(
                "{} does not take direct I/O ({}): it is served through the page cache, so its data"
                        + " takes memory a second time, speed is that of the cache, and what was"
                        + " not flushed is lost when the host crashes",
                path,
                String.valueOf(reason));
        return 1;
    }

    private static boolean mayUse(Path path) {
        return Files.isReadable(path) && Files.isWritable(path);
    }

    private static BackingException unopened(Path path, @Nullable Exception cause) {
        String message = "cannot open " + path + " to serve it: " + cause;
        if (!Files.exists(path)) {
            return new BackingException(
                    Reason.INVALID, message + "; there is nothing, or it cannot be seen", cause);
        }
        return mayUse(path)
                ? new BackingException(Reason.FAILED, message + "; look after the device", cause)
                : new BackingException(
                        Reason.DENIED,
                        message
                                + "; it must be readable and writable for the user of this"
                                + " process: change its rights, or name another one",
                        cause);
    }

    private static FileChannel channel(Path path, boolean direct) throws IOException {
        Set<OpenOption> options = new HashSet<>();
        options.add(StandardOpenOption.READ);
        options.add(StandardOpenOption.WRITE);
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        return FileChannel.open(path, options);
    }

    private static void lock(Path path, FileChannel channel) throws IOException {
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new BackingException(
                    Reason.IN_USE,
                    path + " is already served by this process; name another file",
                    e);
        }
        if (lock == null) {
            throw new BackingException(
                    Reason.IN_USE,
                    path
                            + " is locked by another process; only one target may serve it: stop"
                            + " that one, or name another file",
                    null);
        }
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int alignment() {
        return alignment;
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public @Nullable Path directFile() {
        return alignment > 1 ? path : null;
    }

    private FileChannel mine() {
        return channels[(int) Thread.currentThread().getId() & CHANNELS - 1];
    }

    @Override
    public void read(long position, ByteBuffer into) throws IOException {
        FileChannel channel = mine();
        long at = position;
        while (into.hasRemaining()) {
            int step = channel.read(into, at);
            if (step < 0) {
                throw new IOException(
                        path + " ends at " + channel.size() + ", it was shortened while served");
            }
            at += whole(into, step);
        }
    }

    @Override
    public void write(long position, ByteBuffer from) throws IOException {
        FileChannel channel = mine();
        long at = position;
        try {
            while (from.hasRemaining()) {
                at += whole(from, channel.write(from, at));
            }
        } catch (IOException e) {
            throw spaceLeft() ? e : noSpace(at, e);
        }
    }

    /** The kernel may stop at any sector; direct I/O goes on at a whole unit only. */
    private int whole(ByteBuffer buffer, int step) throws IOException {
        int excess = step & alignment - 1;
        if (step > 0 && step == excess) {
            throw new IOException(
                    path + " took " + step + " bytes, less than the unit of " + alignment);
        }
        buffer.position(buffer.position() - excess);
        return step - excess;
    }

    /** Asked by statvfs: the error's text is for people, and a device's node takes no space. */
    private boolean spaceLeft() {
        return !Files.isRegularFile(path)
                || path.toFile().getTotalSpace() == 0
                || path.toFile().getUsableSpace() >= NEARLY_FULL;
    }

    /** Free bytes below which a failed write is taken to have failed for lack of space. */
    private static final long NEARLY_FULL = 4L << 20;

    private IOException noSpace(long at, IOException cause) {
        return new NoSpaceException(
                "no space for the bytes at "
                        + at
                        + " of the sparse file "
                        + path
                        + ": make room in its file system, or create it with written allocation",
                cause);
    }

    @Override
    public void flush() throws IOException {
        mine().force(false);
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        for (FileChannel each : channels) {
            try {
                each.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void closeQuietly(List<FileChannel> channels) {
        for (FileChannel each : channels) {
            try {
                each.close();
            } catch (IOException e) {
                LOG.debug("Closing after another failure: {}", e.toString());
            }
        }
    }
}
