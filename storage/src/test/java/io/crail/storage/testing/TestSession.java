// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.testing;

import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The client's side of a session file: makes it, locks it, pins. Not thread-safe per slot. */
public final class TestSession implements AutoCloseable {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path path;
    private final FileChannel channel;
    private final ByteBuffer mapped;
    private @Nullable FileLock lock;

    public TestSession(Path serverDirectory, String name, long session, UUID cluster, int slots)
            throws IOException {
        Path directory = serverDirectory.resolve(SessionLayout.DIRECTORY);
        Files.createDirectories(directory);
        this.path = directory.resolve(name);
        this.channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        ByteBuffer content = header(session, cluster, slots);
        while (content.hasRemaining()) {
            channel.write(content);
        }
        this.mapped =
                channel.map(FileChannel.MapMode.READ_WRITE, 0, SessionLayout.fileSize(slots))
                        .order(ByteOrder.LITTLE_ENDIAN);
        this.lock = channel.tryLock(0, 1, false);
    }

    private static ByteBuffer header(long session, UUID cluster, int slots) {
        ByteBuffer bytes =
                ByteBuffer.allocate((int) SessionLayout.fileSize(slots))
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(SessionLayout.MAGIC_OFFSET, SessionLayout.MAGIC);
        bytes.putInt(SessionLayout.VERSION_OFFSET, SessionLayout.VERSION);
        bytes.putLong(SessionLayout.CLUSTER_OFFSET, cluster.getMostSignificantBits());
        bytes.putLong(SessionLayout.CLUSTER_OFFSET + 8, cluster.getLeastSignificantBits());
        bytes.putLong(SessionLayout.SESSION_OFFSET, session);
        bytes.putInt(SessionLayout.SLOT_COUNT_OFFSET, slots);
        bytes.putLong(SessionLayout.SLOTS_OFFSET_OFFSET, SessionLayout.SLOTS_OFFSET);
        bytes.putInt(
                SessionLayout.CRC_OFFSET,
                ChunkChecksum.crc(
                        bytes,
                        SessionLayout.CHECKED_FROM,
                        SessionLayout.CHECKED_TO - SessionLayout.CHECKED_FROM));
        return bytes;
    }

    /** Claims a slot, up to the full fence. Whether the pin counts is for the caller to check. */
    public void pin(int slot, int segment, int record, long generation) {
        int mark;
        do {
            mark = (int) INTS.getVolatile(mapped, SessionLayout.HIGH_WATER_OFFSET);
        } while (mark <= slot
                && !INTS.compareAndSet(mapped, SessionLayout.HIGH_WATER_OFFSET, mark, slot + 1));
        int at = SessionLayout.slotOffset(slot);
        LONGS.setOpaque(mapped, at + SessionLayout.SLOT_GENERATION, generation);
        LONGS.setVolatile(
                mapped,
                at + SessionLayout.SLOT_BLOCK,
                SessionLayout.blockWord(segment, record, false));
        VarHandle.fullFence();
    }

    public void unpin(int slot) {
        LONGS.setRelease(mapped, SessionLayout.slotOffset(slot) + SessionLayout.SLOT_BLOCK, 0L);
    }

    public Path path() {
        return path;
    }

    /** Lets go of the lock, as the kernel does when a process dies. */
    public void unlock() throws IOException {
        if (lock != null) {
            lock.release();
            lock = null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
