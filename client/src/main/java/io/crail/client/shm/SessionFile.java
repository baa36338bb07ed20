// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session file of this process at one server: its pins, and by its lock the proof that the
 * process lives.
 *
 * <p>It is opened once. The lock is held until the path has ended and nothing is pinned any more,
 * whatever becomes of connections meanwhile; whoever gets the lock may take every pin for void. The
 * file is removed by the server, except when the server never took notice of it.
 *
 * <p>Thread-safe; {@link #create} may block and must not be interrupted.
 */
final class SessionFile {
    private static final Logger LOG = LoggerFactory.getLogger(SessionFile.class);

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;
    private final PinTable pins;
    private final Runnable afterUnpin;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean ended;

    private SessionFile(
            Path path, FileChannel channel, FileLock lock, PinTable pins, Runnable afterUnpin) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
        this.pins = pins;
        this.afterUnpin = afterUnpin;
    }

    /**
     * Makes, fills, maps and locks a file.
     *
     * @param unique makes its name differ from all others
     * @param afterUnpin run whenever a slot became free
     */
    static SessionFile create(
            Path serverDirectory,
            UUID cluster,
            long session,
            long unique,
            int slots,
            Runnable afterUnpin)
            throws IOException {
        long pid = ProcessHandle.current().pid();
        String name = String.format("session-%016x-%x-%016x", session, pid, unique);
        Path path = serverDirectory.resolve(SessionLayout.DIRECTORY).resolve(name);
        FileChannel channel =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        try {
            ByteBuffer content = content(cluster, session, (int) pid, slots);
            while (content.hasRemaining()) {
                channel.write(content);
            }
            FileLock lock = channel.tryLock(0, 1, false);
            if (lock == null) {
                throw new IOException("somebody has locked " + path);
            }
            ByteBuffer mapped =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size())
                            .order(ByteOrder.LITTLE_ENDIAN);
            return new SessionFile(path, channel, lock, new PinTable(mapped, slots), afterUnpin);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(path);
            channel.close();
            throw e;
        }
    }

    /** Every byte is written, so that the memory is there before it is mapped. */
    static ByteBuffer content(UUID cluster, long session, int pid, int slots) {
        ByteBuffer page =
                ByteBuffer.allocate((int) SessionLayout.fileSize(slots))
                        .order(ByteOrder.LITTLE_ENDIAN);
        page.putLong(SessionLayout.MAGIC_OFFSET, SessionLayout.MAGIC);
        page.putInt(SessionLayout.VERSION_OFFSET, SessionLayout.VERSION);
        page.putLong(SessionLayout.CLUSTER_OFFSET, cluster.getMostSignificantBits());
        page.putLong(SessionLayout.CLUSTER_OFFSET + 8, cluster.getLeastSignificantBits());
        page.putLong(SessionLayout.SESSION_OFFSET, session);
        page.putInt(SessionLayout.PROCESS_OFFSET, pid);
        page.putInt(SessionLayout.SLOT_COUNT_OFFSET, slots);
        page.putLong(SessionLayout.SLOTS_OFFSET_OFFSET, SessionLayout.SLOTS_OFFSET);
        CRC32C crc = new CRC32C();
        crc.update(
                page.slice(
                        SessionLayout.CHECKED_FROM,
                        SessionLayout.CHECKED_TO - SessionLayout.CHECKED_FROM));
        page.putInt(SessionLayout.CRC_OFFSET, (int) crc.getValue());
        return page;
    }

    /** What ATTACH says. */
    String name() {
        return String.valueOf(path.getFileName());
    }

    /** See {@link PinTable#pin}. */
    int pin(MappedSegment segment, int record, long generation, boolean write) {
        int slot = pins.pin(segment, record, generation, write);
        if (slot == PinTable.STALE && ended && pins.end()) {
            // The end may have seen the slot while it was taken, and left the lock to us.
            release();
        }
        return slot;
    }

    boolean hasFreeSlot() {
        return pins.hasFree();
    }

    /** Unpins; the last pin of a file whose path has ended takes the lock with it. */
    void unpin(int slot) {
        pins.unpin(slot);
        if (ended && pins.end()) {
            release();
        }
        afterUnpin.run();
    }

    /** From now on nothing can be pinned; true if nothing is: then {@link #release} is due. */
    boolean end() {
        ended = true;
        return pins.end();
    }

    /** Lets the lock go, which tells the server that every pin is void. */
    void release() {
        if (released.compareAndSet(false, true)) {
            try {
                lock.release();
                channel.close();
            } catch (IOException e) {
                LOG.debug("Closing {} failed.", path, e);
            }
        }
    }

    boolean isReleased() {
        return released.get();
    }

    /** Ends a file that the server never accepted, so that it would not remove it either. */
    void discard() {
        if (end()) {
            release();
        }
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("Removing {} failed.", path, e);
        }
    }
}
