// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

/**
 * Where things lie in a namespace of the flash tier, in bytes from its beginning:
 *
 * <pre>
 * 0                   superblock, one unit
 * 64 KiB              counters: u32 of each slot, less 1, so that zeros are first counters
 * recordsOffset       records: one unit of each slot, 1,024 stored checksums of 4 bytes
 * dataOffset          data: 64 KiB of each slot, begins at a multiple of 1 MiB
 * </pre>
 *
 * <p>A <b>unit</b> of 4,096 bytes is what is read and written at a time, and what one checksum
 * covers. A <b>slot</b> of 64 KiB is the smallest block. A block of several slots uses counter and
 * record of its first one: at most 256 chunks, so a record is never more than half full. Because
 * each block has a record unit of its own, no two writers ever change one unit.
 *
 * @param slots number of slots, a multiple of those of a slab
 */
public record FlashLayout(int slots) {
    public static final int UNIT = 4096;
    public static final int SLOT = 64 << 10;
    public static final int UNITS_PER_SLOT = SLOT / UNIT;

    /** Blocks of up to this size; data is a multiple of it. */
    public static final int SLAB = 1 << 20;

    public static final long COUNTERS_OFFSET = SLOT;

    /** One segment: what a namenode takes. */
    public static final long MAX_DATA = 1L << 40;

    private static final int COUNTER = 4;
    private static final int SLOTS_PER_SLAB = SLAB / SLOT;

    public FlashLayout {
        if (slots <= 0 || slots % SLOTS_PER_SLAB != 0 || (long) slots * SLOT > MAX_DATA) {
            throw new IllegalArgumentException(
                    slots + " slots are not 1 MiB to 1 TiB of data in whole MiB");
        }
    }

    /** The layout of so many bytes of data, a multiple of 1 MiB. */
    public static FlashLayout ofData(long dataBytes) {
        if (dataBytes <= 0 || dataBytes % SLAB != 0 || dataBytes > MAX_DATA) {
            throw new IllegalArgumentException(
                    dataBytes + " bytes of data are not 1 MiB to 1 TiB in whole MiB");
        }
        return new FlashLayout((int) (dataBytes / SLOT));
    }

    /**
     * The largest layout that a namespace has room for.
     *
     * @throws IllegalArgumentException if it has none for a single MiB
     */
    public static FlashLayout within(long namespaceBytes) {
        // Each MiB of data needs 64 KiB of records besides, so this many slabs are too many or
        // right.
        long slabs = Math.min(MAX_DATA, namespaceBytes) / SLAB;
        while (slabs > 0 && ofData(slabs * SLAB).bytes() > namespaceBytes) {
            long excess = ofData(slabs * SLAB).bytes() - namespaceBytes;
            slabs -= Math.max(1, excess / (2L * SLAB));
        }
        if (slabs <= 0) {
            throw new IllegalArgumentException(
                    namespaceBytes
                            + " bytes have no room for 1 MiB of data with its checksums, which"
                            + " takes "
                            + ofData(SLAB).bytes());
        }
        return ofData(slabs * SLAB);
    }

    /** Bytes of data. */
    public long dataBytes() {
        return (long) slots * SLOT;
    }

    /** Bytes of the counter area, whole units. */
    public int counterBytes() {
        return (slots * COUNTER + UNIT - 1) & -UNIT;
    }

    public long recordsOffset() {
        return align(COUNTERS_OFFSET + counterBytes(), SLOT);
    }

    public long dataOffset() {
        return align(recordsOffset() + (long) slots * UNIT, SLAB);
    }

    /** Bytes of all of it. */
    public long bytes() {
        return dataOffset() + dataBytes();
    }

    private static long align(long value, long to) {
        return (value + to - 1) & -to;
    }

    // ---- where a block has its things; records are indexes of 4 KiB, as in block references ----

    /** Whether a block of this size may begin at this record. */
    public boolean isBlock(int record, int length) {
        return length >= SLOT
                && length <= SLAB
                && Integer.bitCount(length) == 1
                && record >= 0
                && ((long) record * UNIT) % length == 0
                && (long) record * UNIT <= dataBytes() - length;
    }

    /** The slot that begins at a record. */
    public static int slotOf(int record) {
        return record / UNITS_PER_SLOT;
    }

    /** Where the record unit of a block is. */
    public long recordOffset(int record) {
        return recordsOffset() + (long) slotOf(record) * UNIT;
    }

    /** Where the data of a block begins. */
    public long dataOffset(int record) {
        return dataOffset() + (long) record * UNIT;
    }

    /** Where the counter of a slot is. */
    public static long counterOffset(int slot) {
        return COUNTERS_OFFSET + (long) slot * COUNTER;
    }
}
