// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Records in memory as they came, one behind the other, in arrays that get larger up to a limit.
 * Memory is taken along for what it takes to sort them. Belongs to the thread of the task.
 *
 * <p>A record is known by one number, its <i>place</i>: the block in the upper bits, and which one
 * of the block in the lower.
 */
final class RecordBlocks {
    static final int SLOT_BITS = 20;
    static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    /** The signs of all places are different then, which does not matter. */
    private static final int MAX_BLOCKS = 1 << (32 - SLOT_BITS);

    private static final int SMALLEST = 64 << 10;

    /**
     * With the head of an array it is not larger than a region of a collector, whose size is a
     * power of two, so that none is wasted.
     */
    private static final int LARGEST = (4 << 20) - 64;

    private final int recordLength;
    private final SortMemory memory;
    private byte[][] blocks = new byte[16][];
    private int count;
    private int records;

    /** Bytes of the last block that are filled. */
    private int filled;

    private long accounted;

    RecordBlocks(int recordLength, SortMemory memory) {
        this.recordLength = recordLength;
        this.memory = memory;
    }

    /** Number of whole records. */
    int records() {
        return records;
    }

    /** Number of blocks. */
    int count() {
        return count;
    }

    byte[] block(int number) {
        return blocks[number];
    }

    /** Number of whole records in a block. */
    int recordsIn(int block) {
        return (block < count - 1 ? blocks[block].length : filled) / recordLength;
    }

    /** Bytes that are accounted. */
    long accounted() {
        return accounted;
    }

    boolean isFull() {
        return count == 0 || filled == blocks[count - 1].length;
    }

    /**
     * Adds a block.
     *
     * @return whether there was memory for it
     */
    boolean grow() {
        int last = count == 0 ? 0 : blocks[count - 1].length;
        int slots = slots(Math.min(LARGEST, Math.max(SMALLEST, 2 * last)));
        if (count == MAX_BLOCKS
                || records > Integer.MAX_VALUE - 8 - slots
                || !memory.tryAcquire(cost(slots))) {
            return false;
        }
        add(slots);
        return true;
    }

    /** Adds the first block, which is as small as possible, and used without leave if need be. */
    void begin() {
        int slots = slots(SMALLEST);
        memory.use(cost(slots));
        add(slots);
    }

    private int slots(int size) {
        return Math.max(1, Math.min(1 << SLOT_BITS, size / recordLength));
    }

    private long cost(int slots) {
        return slots * ((long) recordLength + KeyOrder.BYTES_PER_RECORD);
    }

    private void add(int slots) {
        if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * count);
        }
        blocks[count++] = new byte[slots * recordLength];
        filled = 0;
        accounted += cost(slots);
    }

    /**
     * Reads bytes into the last block, which is not full.
     *
     * @return number of bytes, -1 at the end of the stream
     */
    int read(InputStream source) throws IOException {
        byte[] last = blocks[count - 1];
        int before = filled / recordLength;
        int read = source.read(last, filled, last.length - filled);
        if (read > 0) {
            filled += read;
            records += filled / recordLength - before;
        }
        return read;
    }

    /** Bytes of a record that has begun. */
    int incomplete() {
        return filled % recordLength;
    }

    /** Forgets that a record has begun. */
    void dropIncomplete() {
        filled -= incomplete();
    }

    /** Nothing but the order of the records is needed any more. */
    void releaseSpare() {
        long needed = (long) records * KeyOrder.BYTES_PER_PLACE;
        for (int block = 0; block < count; block++) {
            needed += blocks[block].length;
        }
        memory.release(accounted - needed);
        accounted = needed;
    }

    /** Forgets all of it and gives the memory back. */
    void free() {
        blocks = new byte[16][];
        count = 0;
        records = 0;
        filled = 0;
        memory.release(accounted);
        accounted = 0;
    }
}
