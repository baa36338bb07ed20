// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * H2CData and C2HData: data of a command (TCP transport 1.0, sections 3.6.2.8 and 3.6.2.9).
 *
 * <pre>
 *  8  u16  CCCID: command that the data belongs to
 * 10  u16  TTAG of the R2T that asked for it; reserved in C2HData
 * 12  u32  DATAO: offset in the command's data, a multiple of 4
 * 16  u32  DATAL: length of the data
 * 20       reserved
 * </pre>
 */
public final class DataPdu {
    public static final int COMMAND_ID = 8;
    public static final int TRANSFER_TAG = 10;
    public static final int OFFSET = 12;
    public static final int LENGTH = 16;

    /** Header without digest. */
    public static final int SIZE = 24;

    private static final int RESERVED = 20;

    private DataPdu() {}

    /**
     * Writes the header of an H2CData.
     *
     * @param last whether it is the last one for its R2T
     */
    public static void encodeFromHost(
            ByteBuffer buffer,
            int at,
            PduFraming framing,
            int commandId,
            int transferTag,
            int dataOffset,
            int dataLength,
            boolean last) {
        framing.encodeHeader(
                buffer, at, PduType.H2C_DATA, last ? PduHeader.FLAG_LAST : 0, dataLength);
        encodeFields(buffer, at, commandId, transferTag, dataOffset, dataLength);
    }

    /**
     * Writes the header of a C2HData.
     *
     * @param last whether it is the last one of its command
     * @param success whether it also stands for the response capsule; only with {@code last}
     */
    public static void encodeFromController(
            ByteBuffer buffer,
            int at,
            PduFraming framing,
            int commandId,
            int dataOffset,
            int dataLength,
            boolean last,
            boolean success) {
        int flags =
                (last ? PduHeader.FLAG_LAST : 0) | (last && success ? PduHeader.FLAG_SUCCESS : 0);
        framing.encodeHeader(buffer, at, PduType.C2H_DATA, flags, dataLength);
        encodeFields(buffer, at, commandId, 0, dataOffset, dataLength);
    }

    private static void encodeFields(
            ByteBuffer buffer, int at, int commandId, int tag, int offset, int length) {
        LittleEndian.u16(buffer, at + COMMAND_ID, commandId);
        LittleEndian.u16(buffer, at + TRANSFER_TAG, tag);
        LittleEndian.i32(buffer, at + OFFSET, offset);
        LittleEndian.i32(buffer, at + LENGTH, length);
        LittleEndian.i32(buffer, at + RESERVED, 0);
    }

    /**
     * Checks a complete header whose common part was checked; whether offset and length lie within
     * the command, only its owner knows.
     *
     * @throws MalformedPduException if the PDU holds another length of data than it says, none, or
     *     an offset that is no multiple of 4, or SUCCESS without LAST
     */
    public static void check(ByteBuffer buffer, int at, PduFraming framing, PduType type)
            throws MalformedPduException {
        int held = framing.dataLength(buffer, at, type);
        if (held == 0 || length(buffer, at) != held) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    LENGTH,
                    "a "
                            + type
                            + " that says "
                            + length(buffer, at)
                            + " and holds "
                            + held
                            + " bytes of data");
        }
        if (offset(buffer, at) % 4 != 0) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    OFFSET,
                    "a " + type + " for offset " + offset(buffer, at) + ", no multiple of 4");
        }
        if (type == PduType.C2H_DATA && isSuccess(buffer, at) && !isLast(buffer, at)) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    PduHeader.FLAGS,
                    "a " + type + " with SUCCESS that is not the last");
        }
    }

    public static int commandId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + COMMAND_ID);
    }

    /** TTAG, of H2CData only. */
    public static int transferTag(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + TRANSFER_TAG);
    }

    /** DATAO. */
    public static long offset(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + OFFSET);
    }

    /** DATAL. */
    public static long length(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + LENGTH);
    }

    public static boolean isLast(ByteBuffer buffer, int at) {
        return PduHeader.hasFlag(buffer, at, PduHeader.FLAG_LAST);
    }

    public static boolean isSuccess(ByteBuffer buffer, int at) {
        return PduHeader.hasFlag(buffer, at, PduHeader.FLAG_SUCCESS);
    }
}
