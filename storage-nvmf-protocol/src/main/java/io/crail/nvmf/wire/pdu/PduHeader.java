// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * The common header of all PDUs (TCP transport 1.0, section 3.6.1).
 *
 * <pre>
 * 0  u8   PDU type
 * 1  u8   flags
 * 2  u8   HLEN: length of the header, without its digest
 * 3  u8   PDO: offset of the data in the PDU
 * 4  u32  PLEN: length of the PDU, digests and padding included
 * </pre>
 */
public final class PduHeader {
    public static final int TYPE = 0;
    public static final int FLAGS = 1;
    public static final int HEADER_LENGTH = 2;
    public static final int DATA_OFFSET = 3;
    public static final int PDU_LENGTH = 4;
    public static final int SIZE = 8;

    /** HDGSTF: a digest follows the header. */
    public static final int FLAG_HEADER_DIGEST = 0x01;

    /** DDGSTF: a digest follows the data. */
    public static final int FLAG_DATA_DIGEST = 0x02;

    /** LAST_PDU: of H2CData the last for its R2T, of C2HData the last for its command. */
    public static final int FLAG_LAST = 0x04;

    /** SUCCESS, of the last C2HData: the command succeeded and no response capsule follows. */
    public static final int FLAG_SUCCESS = 0x08;

    private PduHeader() {}

    public static void encode(
            ByteBuffer buffer, int at, PduType type, int flags, int dataOffset, int pduLength) {
        LittleEndian.u8(buffer, at + TYPE, type.code());
        LittleEndian.u8(buffer, at + FLAGS, flags);
        LittleEndian.u8(buffer, at + HEADER_LENGTH, type.headerLength());
        LittleEndian.u8(buffer, at + DATA_OFFSET, dataOffset);
        LittleEndian.i32(buffer, at + PDU_LENGTH, pduLength);
    }

    /** The code of the type, which {@link PduType#ofCode} may not know. */
    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }

    public static int flags(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FLAGS);
    }

    public static boolean hasFlag(ByteBuffer buffer, int at, int flag) {
        return (flags(buffer, at) & flag) != 0;
    }

    public static int headerLength(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + HEADER_LENGTH);
    }

    public static int dataOffset(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + DATA_OFFSET);
    }

    public static long pduLength(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + PDU_LENGTH);
    }
}
