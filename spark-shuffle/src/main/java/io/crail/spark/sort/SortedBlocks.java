// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The records of blocks in order. When Spark wants the memory back, those that are left go to a
 * file, and it goes on from there. Belongs to the thread of the task.
 */
final class SortedBlocks implements SortedRecords {
    private final int recordLength;
    private final int[] order;
    private @Nullable RecordBlocks blocks;
    private @Nullable SortedFile file;
    private int next;
    private byte[] array = {};
    private int offset;

    /**
     * Sorts.
     *
     * @param blocks whose records do not change any more
     */
    SortedBlocks(RecordBlocks blocks, int keyLength, int recordLength) {
        this.recordLength = recordLength;
        this.blocks = blocks;
        this.order = KeyOrder.of(blocks, keyLength, recordLength);
    }

    @Override
    public boolean advance() throws IOException {
        SortedFile elsewhere = file;
        if (elsewhere != null) {
            boolean more = elsewhere.advance();
            array = elsewhere.array();
            offset = elsewhere.offset();
            return more;
        }
        RecordBlocks present = blocks;
        if (present == null || next == order.length) {
            return false;
        }
        int place = order[next++];
        array = present.block(place >>> RecordBlocks.SLOT_BITS);
        offset = (place & RecordBlocks.SLOT_MASK) * recordLength;
        return true;
    }

    @Override
    public byte[] array() {
        return array;
    }

    @Override
    public int offset() {
        return offset;
    }

    /** Whether there is memory that can be freed. */
    boolean isInMemory() {
        return blocks != null;
    }

    /** Writes the records that are left, which are as they were. */
    void writeTo(OutputStream target) throws IOException {
        RecordBlocks present = blocks;
        if (present != null) {
            for (int i = next; i < order.length; i++) {
                int place = order[i];
                target.write(
                        present.block(place >>> RecordBlocks.SLOT_BITS),
                        (place & RecordBlocks.SLOT_MASK) * recordLength,
                        recordLength);
            }
        }
    }

    /** Goes on with a file that has the records that are left, and forgets the blocks. */
    void continueBy(SortedFile written) {
        file = written;
        blocks = null;
    }
}
