// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/**
 * Get Log Page (NVMe Base 2.0, section 5.16).
 *
 * <pre>
 * CDW10  7:0 LID; 14:8 LSP; 15 RAE: the event stays; 31:16 NUMDL
 * CDW11  15:0 NUMDU; 31:16 LSI
 * CDW12  LPOL: offset in the page, lower half; CDW13  LPOU
 * CDW14  23 OT: the offset is an index; 31:24 CSI
 * </pre>
 *
 * NUMD = NUMDU:NUMDL counts units of four bytes from zero.
 */
public final class LogPageCommand {
    public static final int SUPPORTED_LOG_PAGES = 0x00;
    public static final int ERROR_INFORMATION = 0x01;
    public static final int SMART = 0x02;
    public static final int FIRMWARE_SLOTS = 0x03;
    public static final int CHANGED_NAMESPACES = 0x04;
    public static final int COMMANDS_AND_EFFECTS = 0x05;
    public static final int DISCOVERY = 0x70;
    public static final int RESERVATION_NOTIFICATION = 0x80;

    private static final int RETAIN = 1 << 15;
    private static final int OFFSET_IS_INDEX = 1 << 23;

    private LogPageCommand() {}

    /**
     * Writes the command, without the descriptor of its data.
     *
     * @param length in bytes, a multiple of 4, at least 4
     * @param offset in bytes, a multiple of 4
     */
    public static void encode(
            ByteBuffer buffer,
            int at,
            int commandId,
            int namespaceId,
            int page,
            int length,
            long offset,
            boolean retainEvent) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.GET_LOG_PAGE, commandId, namespaceId);
        int units = length / 4 - 1;
        SubmissionEntry.cdw10(
                buffer, at, (page & 0xFF) | (retainEvent ? RETAIN : 0) | (units << 16));
        SubmissionEntry.cdw11(buffer, at, units >>> 16);
        SubmissionEntry.cdw12(buffer, at, (int) offset);
        SubmissionEntry.cdw13(buffer, at, (int) (offset >>> 32));
    }

    /** LID. */
    public static int page(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) & 0xFF;
    }

    /** LSP. */
    public static int specific(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) >>> 8) & 0x7F;
    }

    /** RAE. */
    public static boolean isEventRetained(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) & RETAIN) != 0;
    }

    /** Bytes that are asked for: 4 up to 16 GiB. */
    public static long length(ByteBuffer buffer, int at) {
        long units =
                (SubmissionEntry.cdw10(buffer, at) >>> 16)
                        | ((SubmissionEntry.cdw11(buffer, at) & 0xFFFFL) << 16);
        return (units + 1) * 4;
    }

    /** LPO, unsigned. */
    public static long offset(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw12(buffer, at) & 0xFFFF_FFFFL)
                | ((long) SubmissionEntry.cdw13(buffer, at) << 32);
    }

    /** OT. */
    public static boolean isOffsetIndex(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw14(buffer, at) & OFFSET_IS_INDEX) != 0;
    }
}
