// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.status.Status;
import java.nio.ByteBuffer;

/**
 * Completion queue entry, 16 bytes (NVMe Base 2.0, section 3.3.3.2).
 *
 * <pre>
 *  0  u64  result of the command: DW0 and DW1
 *  8  u16  SQHD: head of the submission queue
 * 10  u16  SQID, reserved in fabrics
 * 12  u16  CID
 * 14  u16  bits 15:1 status; bit 0 phase, reserved in fabrics
 * </pre>
 */
public final class CompletionEntry {
    public static final int RESULT = 0;
    public static final int SUBMISSION_HEAD = 8;
    public static final int COMMAND_ID = 12;
    public static final int STATUS = 14;
    public static final int SIZE = 16;

    private static final int SUBMISSION_QUEUE_ID = 10;

    private CompletionEntry() {}

    /**
     * Writes an entry.
     *
     * @param status as {@link Status}
     */
    public static void encode(
            ByteBuffer buffer, int at, long result, int submissionHead, int commandId, int status) {
        LittleEndian.i64(buffer, at + RESULT, result);
        LittleEndian.u16(buffer, at + SUBMISSION_HEAD, submissionHead);
        LittleEndian.u16(buffer, at + SUBMISSION_QUEUE_ID, 0);
        LittleEndian.u16(buffer, at + COMMAND_ID, commandId);
        LittleEndian.u16(buffer, at + STATUS, status << 1);
    }

    public static long result(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + RESULT);
    }

    /** The lower half of the result: DW0. */
    public static int dw0(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + RESULT);
    }

    public static int submissionHead(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + SUBMISSION_HEAD);
    }

    public static int commandId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + COMMAND_ID);
    }

    /** As {@link Status}. */
    public static int status(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + STATUS) >>> 1;
    }
}
