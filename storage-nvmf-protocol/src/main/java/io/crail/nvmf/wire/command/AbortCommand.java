// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/**
 * Abort (NVMe Base 2.0, section 5.1): CDW10 bits 15:0 SQID, bits 31:16 CID. In DW0 of the
 * completion bit 0 is 0 if the command was aborted, 1 if not.
 */
public final class AbortCommand {
    private static final int NOT_ABORTED = 1;

    private AbortCommand() {}

    public static void encode(
            ByteBuffer buffer, int at, int commandId, int queueId, int abortedCommandId) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.ABORT, commandId, 0);
        SubmissionEntry.cdw10(buffer, at, (queueId & 0xFFFF) | (abortedCommandId << 16));
    }

    /** Queue of the command to abort. */
    public static int queueId(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) & 0xFFFF;
    }

    /** Identifier of the command to abort. */
    public static int abortedCommandId(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) >>> 16;
    }

    /** The result of the completion. */
    public static long result(boolean aborted) {
        return aborted ? 0 : NOT_ABORTED;
    }

    public static boolean isAborted(long result) {
        return (result & NOT_ABORTED) == 0;
    }
}
