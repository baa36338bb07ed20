// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.BytesToWrite;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Path;

/**
 * A segment of a storage server, mapped. The mapping lives as long as anybody refers to it, so an
 * access never hits an address that is gone; the file is never truncated.
 *
 * <p>Thread-safe in itself: all accesses are at absolute positions. Who may touch which bytes is
 * the caller's affair.
 */
final class MappedSegment {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /**
     * What the kernel maps at once around a page that is read, if it has not been told otherwise.
     */
    private static final int WINDOW = 64 << 10;

    private final SegmentHeader header;
    private final Path directory;
    private final ByteBuffer mapped;
    private final IntBuffer checksums;
    private final int slots;
    private final int data;

    MappedSegment(SegmentHeader header, Path directory, ByteBuffer mapped) {
        this.header = header;
        this.directory = directory;
        this.mapped = mapped.order(ByteOrder.LITTLE_ENDIAN);
        this.slots = SegmentLayout.slots(header.dataBytes());
        this.checksums =
                mapped.slice((int) SegmentLayout.checksumsOffset(header.dataBytes()), 4 * slots)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asIntBuffer();
        this.data = (int) SegmentLayout.dataOffset(header.dataBytes());
    }

    int number() {
        return header.segment();
    }

    int incarnation() {
        return header.incarnation();
    }

    /** Whether the block lies in the segment, and these bytes in the block. */
    boolean holds(BlockReference block, int offset, int length) {
        return block.record() < slots
                && block.offset() >= 0
                && block.offset() <= header.dataBytes() - block.length()
                && offset >= 0
                && length >= 0
                && offset <= block.length() - length;
    }

    /** The generation word of a record; nothing read afterwards is older than it. */
    long generation(int record) {
        return (long)
                LONGS.getVolatile(mapped, (int) SegmentLayout.generationsOffset() + 8 * record);
    }

    /** Whether what was read before was read while the block had the generation. */
    boolean isStill(int record, long generation) {
        VarHandle.acquireFence();
        return generation(record) == generation;
    }

    private int position(BlockReference block, int offset) {
        return data + (int) block.offset() + offset;
    }

    /** Has a transfer copy from its block. */
    void read(BlockTransfer.Read transfer) {
        transfer.copyFrom(mapped, position(transfer.block(), transfer.offset()));
    }

    /** Has bytes copied into the block, and stores their checksums. */
    void write(BlockReference block, int offset, BytesToWrite bytes) {
        int position = position(block, offset);
        touch(position, bytes.length());
        bytes.copyInto(mapped, position);
        checksums.put(block.record() + offset / BlockGeometry.CHUNK_SIZE, bytes.checksums());
    }

    /**
     * Reads a word of each window before it is written. Where this process meets pages for the
     * first time, a write faults at each of them, but a read maps the whole window around it, for
     * writing as well: a sixteenth of the faults. The memory itself is there: the server filled it.
     */
    private void touch(int position, int length) {
        for (int done = 0; done < length; done += WINDOW) {
            long unused = (long) LONGS.getVolatile(mapped, (position + done) & -Long.BYTES);
        }
    }

    /** The bytes themselves, read-only. */
    ByteBuffer slice(BlockReference block, int offset, int length) {
        return mapped.slice(position(block, offset), length).asReadOnlyBuffer();
    }

    /** The stored checksums of the chunks that these bytes touch. */
    int[] checksums(BlockReference block, int offset, int length) {
        int first = offset / BlockGeometry.CHUNK_SIZE;
        int end = (offset + length + BlockGeometry.CHUNK_SIZE - 1) / BlockGeometry.CHUNK_SIZE;
        int[] stored = new int[end - first];
        checksums.get(block.record() + first, stored);
        return stored;
    }

    SegmentHeader header() {
        return header;
    }

    /** Where its file is. */
    Path directory() {
        return directory;
    }
}
