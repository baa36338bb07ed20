// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.block.Pins;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The session file of one client process, mapped. The client writes the slots, the server only
 * reads them; it may read a slot while it changes, which at worst shows a pin that is just going.
 *
 * <p><b>The descriptor</b> stays open until the process is known to be gone: when client and server
 * share a JVM, closing any descriptor of the file would drop the client's lock.
 *
 * <p>Thread-safe.
 */
final class SessionFile {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer mapped;
    private final long session;
    private final UUID cluster;
    private final int slots;
    private @Nullable FileLock lock;

    private SessionFile(Path path, FileChannel channel, ByteBuffer mapped, int slots) {
        this.path = path;
        this.channel = channel;
        this.mapped = mapped;
        this.slots = slots;
        this.session = mapped.getLong(SessionLayout.SESSION_OFFSET);
        this.cluster =
                new UUID(
                        mapped.getLong(SessionLayout.CLUSTER_OFFSET),
                        mapped.getLong(SessionLayout.CLUSTER_OFFSET + 8));
    }

    /**
     * Opens and maps a file.
     *
     * @throws CrailException if it is no session file, or not complete
     */
    static SessionFile open(Path path) throws CrailException {
        try {
            // Only a file: opening a pipe would block, a link could lead anywhere.
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw invalid(path, "there is no such file");
            }
            FileChannel channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            LinkOption.NOFOLLOW_LINKS);
            try {
                return map(path, channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw invalid(path, e.toString());
        }
    }

    private static SessionFile map(Path path, FileChannel channel) throws IOException {
        long size = channel.size();
        if (size < SessionLayout.fileSize(1)
                || size > SessionLayout.fileSize(SessionLayout.MAX_SLOTS)) {
            throw invalid(path, "it has " + size + " bytes");
        }
        ByteBuffer mapped =
                channel.map(FileChannel.MapMode.READ_WRITE, 0, size).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        crc.update(
                mapped.slice(
                        SessionLayout.CHECKED_FROM,
                        SessionLayout.CHECKED_TO - SessionLayout.CHECKED_FROM));
        if (mapped.getLong(SessionLayout.MAGIC_OFFSET) != SessionLayout.MAGIC
                || (int) crc.getValue() != mapped.getInt(SessionLayout.CRC_OFFSET)) {
            throw invalid(path, "its header is not complete, or damaged");
        }
        int version = mapped.getInt(SessionLayout.VERSION_OFFSET);
        if (version != SessionLayout.VERSION) {
            throw new VersionMismatchException(
                    "session file "
                            + path
                            + " has layout version "
                            + version
                            + ", this server knows "
                            + SessionLayout.VERSION);
        }
        int slots = mapped.getInt(SessionLayout.SLOT_COUNT_OFFSET);
        if (slots < 1
                || size != SessionLayout.fileSize(slots)
                || mapped.getLong(SessionLayout.SLOTS_OFFSET_OFFSET)
                        != SessionLayout.SLOTS_OFFSET) {
            throw invalid(path, "its header contradicts its size");
        }
        return new SessionFile(path, channel, mapped, slots);
    }

    long session() {
        return session;
    }

    UUID cluster() {
        return cluster;
    }

    /** Whether a slot names the block under the generation. */
    boolean isPinned(int segment, int record, long generation) {
        for (int slot = 0, used = used(); slot < used; slot++) {
            long block = block(slot);
            if (SessionLayout.isUsed(block)
                    && SessionLayout.segment(block) == segment
                    && SessionLayout.record(block) == record
                    && generation(slot) == generation) {
                return true;
            }
        }
        return false;
    }

    void addPins(int segment, List<Pins.Pin> pins) {
        for (int slot = 0, used = used(); slot < used; slot++) {
            long block = block(slot);
            if (SessionLayout.isUsed(block) && SessionLayout.segment(block) == segment) {
                pins.add(new Pins.Pin(SessionLayout.record(block), generation(slot)));
            }
        }
    }

    /** Adds what is pinned at or behind a segment and record; returns how much was looked at. */
    int addPins(long from, Collection<AuditSegment.Pin> pins) {
        int used = used();
        for (int slot = 0; slot < used; slot++) {
            long block = block(slot);
            int segment = SessionLayout.segment(block);
            int record = SessionLayout.record(block);
            // A client may write anything: what is no place is no block of ours.
            if (SessionLayout.isUsed(block)
                    && record >= 0
                    && AuditSegment.place(segment, record) >= from) {
                pins.add(new AuditSegment.Pin(session, generation(slot), segment, record));
            }
        }
        return used;
    }

    /** Number of slots that are in use now. */
    int pinned() {
        int pinned = 0;
        for (int slot = 0, used = used(); slot < used; slot++) {
            if (SessionLayout.isUsed(block(slot))) {
                pinned++;
            }
        }
        return pinned;
    }

    /**
     * Whether the process that made the file is gone, or has let go of it. True once is true for
     * ever: the lock is ours then.
     */
    synchronized boolean isAbandoned() throws CrailException {
        if (lock != null) {
            return true;
        }
        try {
            lock = channel.tryLock(0, 1, false);
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // The client lives in this JVM.
        } catch (IOException e) {
            throw invalid(path, "cannot try its lock: " + e);
        }
    }

    /** Removes the file. Only when abandoned, or detached by its owner. */
    void remove() throws CrailException {
        try {
            Files.deleteIfExists(path);
            channel.close();
        } catch (IOException e) {
            throw invalid(path, "cannot remove it: " + e);
        }
    }

    /** Lets go of the descriptor, unless that would drop the lock of a client in this JVM. */
    synchronized void release() throws CrailException {
        try {
            if (lock == null) {
                FileLock ours = channel.tryLock(0, 1, false);
                if (ours != null) {
                    ours.release();
                }
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            return; // Stays open as long as this JVM runs, as its owner is part of it.
        } catch (IOException e) {
            throw invalid(path, "cannot close it: " + e);
        }
    }

    private int used() {
        int mark = (int) INTS.getAcquire(mapped, SessionLayout.HIGH_WATER_OFFSET);
        return mark < 0 || mark > slots ? slots : mark;
    }

    private long block(int slot) {
        return (long)
                LONGS.getVolatile(
                        mapped, SessionLayout.slotOffset(slot) + SessionLayout.SLOT_BLOCK);
    }

    private long generation(int slot) {
        return (long)
                LONGS.getVolatile(
                        mapped, SessionLayout.slotOffset(slot) + SessionLayout.SLOT_GENERATION);
    }

    private static InvalidArgumentException invalid(Path path, String why) {
        return new InvalidArgumentException("session file " + path + " cannot be used: " + why);
    }

    @Override
    public String toString() {
        return String.valueOf(path.getFileName());
    }
}
