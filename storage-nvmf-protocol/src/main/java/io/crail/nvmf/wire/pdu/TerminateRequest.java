// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * H2CTermReq and C2HTermReq: the sender found a fatal error and ends the connection (TCP transport
 * 1.0, sections 3.6.2.4 and 3.6.2.5).
 *
 * <pre>
 *  8  u16  FES: what was wrong
 * 10  u32  FEI: offset of the field, or the digest received
 * 14       reserved
 * 24       the header of the PDU at fault, at most 128 bytes
 * </pre>
 */
public final class TerminateRequest {
    public static final int STATUS = 8;
    public static final int INFORMATION = 10;
    public static final int FAULTY_HEADER = 24;

    /** The longest one. */
    public static final int MAX_SIZE = FAULTY_HEADER + PduType.MAX_HEADER_LENGTH;

    private TerminateRequest() {}

    /**
     * Writes the whole PDU.
     *
     * @param source with the header at fault from {@code sourceAt}
     * @param sourceLength how much of it is there; more than 128 bytes are cut
     * @return length of the PDU
     */
    public static int encode(
            ByteBuffer buffer,
            int at,
            PduType type,
            FatalErrorStatus status,
            int information,
            ByteBuffer source,
            int sourceAt,
            int sourceLength) {
        int quoted = Math.min(sourceLength, PduType.MAX_HEADER_LENGTH);
        LittleEndian.zero(buffer, at, FAULTY_HEADER);
        PduFraming.PLAIN.encodeHeader(buffer, at, type, 0, quoted);
        LittleEndian.u16(buffer, at + STATUS, status.code());
        LittleEndian.i32(buffer, at + INFORMATION, information);
        for (int i = 0; i < quoted; i++) {
            buffer.put(at + FAULTY_HEADER + i, source.get(sourceAt + i));
        }
        return FAULTY_HEADER + quoted;
    }

    /** FES; {@link FatalErrorStatus#find} knows its meaning. */
    public static int status(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + STATUS);
    }

    /** FEI. */
    public static int information(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + INFORMATION);
    }
}
