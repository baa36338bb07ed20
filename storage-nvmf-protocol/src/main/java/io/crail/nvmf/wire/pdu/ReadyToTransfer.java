// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * R2T: the controller asks for data of a command (TCP transport 1.0, section 3.6.2.10).
 *
 * <pre>
 *  8  u16  CCCID: the command
 * 10  u16  TTAG: returned in the H2CData that answer it
 * 12  u32  R2TO: offset in the command's data, a multiple of 4
 * 16  u32  R2TL: length
 * 20       reserved
 * </pre>
 */
public final class ReadyToTransfer {
    public static final int COMMAND_ID = 8;
    public static final int TRANSFER_TAG = 10;
    public static final int OFFSET = 12;
    public static final int LENGTH = 16;

    /** Header without digest. */
    public static final int SIZE = 24;

    private static final int RESERVED = 20;

    private ReadyToTransfer() {}

    public static void encode(
            ByteBuffer buffer,
            int at,
            PduFraming framing,
            int commandId,
            int transferTag,
            int offset,
            int length) {
        framing.encodeHeader(buffer, at, PduType.R2T, 0, 0);
        LittleEndian.u16(buffer, at + COMMAND_ID, commandId);
        LittleEndian.u16(buffer, at + TRANSFER_TAG, transferTag);
        LittleEndian.i32(buffer, at + OFFSET, offset);
        LittleEndian.i32(buffer, at + LENGTH, length);
        LittleEndian.i32(buffer, at + RESERVED, 0);
    }

    /**
     * Checks a complete PDU; whether the range lies within the command, only its owner knows.
     *
     * @throws MalformedPduException if it asks for nothing, or from an offset that is no multiple
     *     of 4
     */
    public static void check(ByteBuffer buffer, int at) throws MalformedPduException {
        if (length(buffer, at) == 0) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD, LENGTH, "an R2T that asks for no data");
        }
        if (offset(buffer, at) % 4 != 0) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    OFFSET,
                    "an R2T for offset " + offset(buffer, at) + ", no multiple of 4");
        }
    }

    public static int commandId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + COMMAND_ID);
    }

    public static int transferTag(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + TRANSFER_TAG);
    }

    /** R2TO. */
    public static long offset(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + OFFSET);
    }

    /** R2TL. */
    public static long length(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + LENGTH);
    }
}
