// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.storage.block.BlockWords;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A mapped segment: its data, a generation word per slot, a checksum per slot. The mapping lives as
 * long as anybody refers to it; nobody undoes it by hand.
 *
 * <p>Thread-safe in itself. Who may read or write which bytes is not decided here: see {@link
 * io.crail.storage.block.BlockTable}. Bounds are the caller's to check; a wrong one throws {@link
 * IndexOutOfBoundsException} and touches nothing.
 */
public final class Segment implements BlockWords {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final int number;
    private final int incarnation;
    private final long dataBytes;
    private final ByteBuffer mapped;
    private final int generations;
    private final int checksums;
    private final int data;

    Segment(SegmentHeader header, ByteBuffer mapped) {
        this.number = header.segment();
        this.incarnation = header.incarnation();
        this.dataBytes = header.dataBytes();
        this.mapped = mapped.order(ByteOrder.LITTLE_ENDIAN);
        this.generations = (int) SegmentLayout.generationsOffset();
        this.checksums = (int) SegmentLayout.checksumsOffset(dataBytes);
        this.data = (int) SegmentLayout.dataOffset(dataBytes);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int incarnation() {
        return incarnation;
    }

    @Override
    public long dataBytes() {
        return dataBytes;
    }

    @Override
    public int slots() {
        return SegmentLayout.slots(dataBytes);
    }

    @Override
    public long generation(int slot) {
        return (long) LONGS.getVolatile(mapped, generations + 8 * checkSlot(slot));
    }

    /** Sets the generation word of a slot; mapped clients see it before anything written later. */
    @Override
    public void setGeneration(int slot, long generation) {
        LONGS.setVolatile(mapped, generations + 8 * checkSlot(slot), generation);
    }

    /** The stored checksum of a slot, an opaque value to the server. */
    @Override
    public int checksum(int slot) {
        return (int) INTS.getAcquire(mapped, checksums + 4 * checkSlot(slot));
    }

    public void setChecksum(int slot, int value) {
        INTS.setRelease(mapped, checksums + 4 * checkSlot(slot), value);
    }

    /** A view of {@code length} bytes of data from {@code offset}, position 0. */
    public ByteBuffer data(long offset, int length) {
        if (offset < 0 || length < 0 || offset > dataBytes - length) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at " + offset + " of " + dataBytes);
        }
        return mapped.slice(data + (int) offset, length);
    }

    private int checkSlot(int slot) {
        if (slot < 0 || slot >= slots()) {
            throw new IndexOutOfBoundsException("slot " + slot + " of " + slots());
        }
        return slot;
    }
}
