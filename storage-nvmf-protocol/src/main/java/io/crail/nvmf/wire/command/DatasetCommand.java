// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Dataset Management (NVM Command Set 1.0, section 3.2.3): CDW10 bits 7:0 NR, ranges from zero;
 * CDW11 bit 2 AD, deallocate. Its data is one entry of 16 bytes per range:
 *
 * <pre>
 * 0  u32  context attributes
 * 4  u32  length in logical blocks
 * 8  u64  first logical block
 * </pre>
 */
public final class DatasetCommand {
    public static final int MAX_RANGES = 256;

    /** Length of an entry. */
    public static final int RANGE_SIZE = 16;

    private static final int DEALLOCATE = 1 << 2;
    private static final int RANGE_BLOCKS = 4;
    private static final int RANGE_FIRST = 8;

    private DatasetCommand() {}

    /** A command that deallocates so many ranges. */
    public static void encodeDeallocate(
            ByteBuffer buffer, int at, int commandId, int namespaceId, int ranges) {
        SubmissionEntry.encode(buffer, at, IoOpcode.DATASET_MANAGEMENT, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, (ranges - 1) & 0xFF);
        SubmissionEntry.cdw11(buffer, at, DEALLOCATE);
    }

    public static int ranges(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) & 0xFF) + 1;
    }

    public static boolean isDeallocate(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw11(buffer, at) & DEALLOCATE) != 0;
    }

    /** Writes the entry of a range; {@code at} is the entry's own position. */
    public static void encodeRange(ByteBuffer buffer, int at, long firstBlock, int blocks) {
        LittleEndian.i32(buffer, at, 0);
        LittleEndian.i32(buffer, at + RANGE_BLOCKS, blocks);
        LittleEndian.i64(buffer, at + RANGE_FIRST, firstBlock);
    }

    public static long rangeBlocks(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + RANGE_BLOCKS);
    }

    /** Unsigned. */
    public static long rangeFirstBlock(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + RANGE_FIRST);
    }
}
