// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.message.Attach;
import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The memory of a storage server: a segment file with mappings of its own, and the server's view of
 * session files. What a block of a generation contains follows from both, so that every byte tells
 * where it belongs.
 */
final class ServerMemory {
    static final UUID CLUSTER = new UUID(1, 2);
    static final UUID SERVER = new UUID(3, 4);
    static final int INCARNATION = 0x1234_5678;
    static final int BLOCK = 16 << 10;
    static final int SLOTS_PER_BLOCK = BLOCK / BlockGeometry.SLOT_SIZE;
    static final int SEGMENT = 0;

    private static final long DATA = 1 << 20;
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final Path directory;
    private final ByteBuffer segment;

    private ServerMemory(Path directory, ByteBuffer segment) {
        this.directory = directory;
        this.segment = segment;
    }

    /** Makes the directory of a server with one segment; every block has the first generation. */
    static ServerMemory create(Path directory) throws IOException {
        return create(directory, CLUSTER, SERVER, INCARNATION);
    }

    static ServerMemory create(Path directory, UUID cluster, UUID server, int incarnation)
            throws IOException {
        Files.createDirectories(directory.resolve(SessionLayout.DIRECTORY));
        Path file = directory.resolve(SegmentLayout.fileName(SEGMENT));
        Files.deleteIfExists(file);
        ByteBuffer mapped = map(file, SegmentLayout.fileSize(DATA));
        SegmentHeader header =
                new SegmentHeader(UUID.randomUUID(), cluster, server, SEGMENT, incarnation, DATA);
        mapped.duplicate().put(header.encode());
        ServerMemory memory = new ServerMemory(directory, mapped);
        for (int slot = 0; slot < SegmentLayout.slots(DATA); slot++) {
            memory.setGeneration(slot, Generation.of(incarnation, Generation.FIRST_COUNTER));
        }
        for (int block = 0; block < memory.blocks(); block++) {
            memory.fill(memory.reference(block));
        }
        return memory;
    }

    private static ByteBuffer map(Path file, long size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    Path directory() {
        return directory;
    }

    Attach.Reply attachReply() {
        return new Attach.Reply(SERVER, directory.toString());
    }

    int blocks() {
        return (int) (DATA / BLOCK);
    }

    private static int generationAt(int record) {
        return (int) SegmentLayout.generationsOffset() + 8 * record;
    }

    long generation(int record) {
        return (long) LONGS.getVolatile(segment, generationAt(record));
    }

    void setGeneration(int record, long generation) {
        LONGS.setVolatile(segment, generationAt(record), generation);
    }

    /** A reference to a block as it is now. */
    BlockReference reference(int block) {
        return reference(block, generation(block * SLOTS_PER_BLOCK));
    }

    static BlockReference reference(int block, long generation) {
        return new BlockReference(
                1,
                SEGMENT,
                (long) block * BLOCK,
                BLOCK,
                block * SLOTS_PER_BLOCK,
                generation,
                0,
                BlockReference.READ | BlockReference.WRITE);
    }

    private static int dataAt(BlockReference block) {
        return (int) (SegmentLayout.dataOffset(DATA) + block.offset());
    }

    /** Every eight bytes of a block. */
    static long word(BlockReference block) {
        return block.generation() * 0x9E3779B97F4A7C15L + block.record();
    }

    /** What a block of a generation contains. */
    static ByteBuffer content(BlockReference block) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < BLOCK; at += 8) {
            bytes.putLong(at, word(block));
        }
        return bytes;
    }

    /** Its salted checksums. */
    static int[] checksums(BlockReference block) {
        int crc = ChunkChecksum.crc(content(block), 0, BlockGeometry.CHUNK_SIZE);
        int[] salted = new int[SLOTS_PER_BLOCK];
        for (int i = 0; i < salted.length; i++) {
            salted[i] = ChunkChecksum.salted(crc, block.record() + i, block.generation());
        }
        return salted;
    }

    void fill(BlockReference block) {
        segment.put(dataAt(block), content(block), 0, BLOCK);
        int[] salted = checksums(block);
        for (int i = 0; i < salted.length; i++) {
            segment.putInt(checksumAt(block.record() + i), salted[i]);
        }
    }

    private static int checksumAt(int record) {
        return (int) SegmentLayout.checksumsOffset(DATA) + 4 * record;
    }

    /** What another owner may do to the block: bytes and checksums of nobody. */
    void scribble(BlockReference block, long noise) {
        for (int at = 0; at < BLOCK; at += 8) {
            segment.putLong(dataAt(block) + at, noise);
        }
        for (int i = 0; i < SLOTS_PER_BLOCK; i++) {
            segment.putInt(checksumAt(block.record() + i), (int) noise);
        }
    }

    /** Whether the block contains what its generation demands, and nothing else. */
    boolean isIntact(BlockReference block) {
        for (int at = 0; at < BLOCK; at += 8) {
            if (segment.getLong(dataAt(block) + at) != word(block)) {
                return false;
            }
        }
        int[] salted = checksums(block);
        for (int i = 0; i < salted.length; i++) {
            if (segment.getInt(checksumAt(block.record() + i)) != salted[i]) {
                return false;
            }
        }
        return true;
    }

    /** The server's mapping of a session file. */
    Pins pins(String session) throws IOException {
        Path file = directory.resolve(SessionLayout.DIRECTORY).resolve(session);
        return new Pins(map(file, Files.size(file)));
    }

    /** Scans a session file as the server does. */
    record Pins(ByteBuffer mapped) {
        boolean holds(BlockReference block) {
            int used = (int) INTS.getAcquire(mapped, SessionLayout.HIGH_WATER_OFFSET);
            for (int slot = 0; slot < used; slot++) {
                long word = block(slot);
                if (SessionLayout.isUsed(word)
                        && SessionLayout.segment(word) == block.segment()
                        && SessionLayout.record(word) == block.record()
                        && generation(slot) == block.generation()) {
                    return true;
                }
            }
            return false;
        }

        int count() {
            int pinned = 0;
            int used = (int) INTS.getAcquire(mapped, SessionLayout.HIGH_WATER_OFFSET);
            for (int slot = 0; slot < used; slot++) {
                pinned += SessionLayout.isUsed(block(slot)) ? 1 : 0;
            }
            return pinned;
        }

        int highWater() {
            return (int) INTS.getAcquire(mapped, SessionLayout.HIGH_WATER_OFFSET);
        }

        long block(int slot) {
            return (long) LONGS.getVolatile(mapped, SessionLayout.slotOffset(slot));
        }

        long generation(int slot) {
            return (long)
                    LONGS.getVolatile(
                            mapped, SessionLayout.slotOffset(slot) + SessionLayout.SLOT_GENERATION);
        }
    }
}
