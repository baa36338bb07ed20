// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * I/O commands on a range of logical blocks: Read, Write, Compare, Write Zeroes; and Flush, which
 * has no range (NVM Command Set 1.0, section 3.2, and NVMe Base 2.0, section 7.1).
 *
 * <pre>
 * CDW10, CDW11  SLBA: first block
 * CDW12         15:0 NLB: blocks, from zero; 25 DEAC of Write Zeroes: deallocate; 30 FUA; 31 LR
 * </pre>
 */
public final class BlockCommand {
    /** NLB has 16 bits. */
    public static final int MAX_BLOCKS = 1 << 16;

    private static final int DEALLOCATE = 1 << 25;
    private static final int FORCE_UNIT_ACCESS = 1 << 30;
    private static final int LIMITED_RETRY = 1 << 31;

    private BlockCommand() {}

    public static void encodeFlush(ByteBuffer buffer, int at, int commandId, int namespaceId) {
        SubmissionEntry.encode(buffer, at, IoOpcode.FLUSH, commandId, namespaceId);
    }

    /**
     * Writes a command on a range.
     *
     * @param opcode READ, WRITE, COMPARE or WRITE_ZEROES of {@link IoOpcode}
     * @param blocks 1 .. {@link #MAX_BLOCKS}
     */
    public static void encode(
            ByteBuffer buffer,
            int at,
            int opcode,
            int commandId,
            int namespaceId,
            long firstBlock,
            int blocks) {
        SubmissionEntry.encode(buffer, at, opcode, commandId, namespaceId);
        LittleEndian.i64(buffer, at + SubmissionEntry.CDW10, firstBlock);
        SubmissionEntry.cdw12(buffer, at, (blocks - 1) & 0xFFFF);
    }

    /** Adds FUA: the command completes when the data is in non-volatile media. */
    public static void setForceUnitAccess(ByteBuffer buffer, int at) {
        set(buffer, at, FORCE_UNIT_ACCESS);
    }

    /** Adds DEAC, to Write Zeroes. */
    public static void setDeallocate(ByteBuffer buffer, int at) {
        set(buffer, at, DEALLOCATE);
    }

    private static void set(ByteBuffer buffer, int at, int flag) {
        SubmissionEntry.cdw12(buffer, at, SubmissionEntry.cdw12(buffer, at) | flag);
    }

    /** SLBA, unsigned. */
    public static long firstBlock(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + SubmissionEntry.CDW10);
    }

    /** Number of blocks, one more than NLB. */
    public static int blocks(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw12(buffer, at) & 0xFFFF) + 1;
    }

    public static boolean isForceUnitAccess(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw12(buffer, at) & FORCE_UNIT_ACCESS) != 0;
    }

    public static boolean isLimitedRetry(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw12(buffer, at) & LIMITED_RETRY) != 0;
    }

    /** DEAC. */
    public static boolean isDeallocate(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw12(buffer, at) & DEALLOCATE) != 0;
    }
}
