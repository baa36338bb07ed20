// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.UNSUPPORTED_PARAMETER;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * ICReq: the first PDU of a connection, from the host (TCP transport 1.0, section 3.6.2.2).
 *
 * <pre>
 *  8  u16  PFV: version of the PDU format, 0
 * 10  u8   HPDA: alignment of data that the host asks for, in units of 4 bytes, from zero
 * 11  u8   DGST: digests that the host asks for
 * 12  u32  MAXR2T: R2Ts per command that the host takes at a time, from zero
 * 16       reserved up to 128
 * </pre>
 */
public final class InitializeRequest {
    public static final int FORMAT_VERSION = 8;
    public static final int HOST_DATA_ALIGNMENT = 10;
    public static final int DIGESTS = 11;
    public static final int MAX_R2T = 12;

    /** Length of the PDU. */
    public static final int SIZE = 128;

    static final int DIGEST_HEADER = 0x01;
    static final int DIGEST_DATA = 0x02;
    static final int MAX_ALIGNMENT_FIELD = 31;

    private InitializeRequest() {}

    /**
     * Writes the whole PDU.
     *
     * @param hostDataAlignment HPDA, 0..31
     * @param maxR2t as in the field: one less than the number
     */
    public static void encode(
            ByteBuffer buffer,
            int at,
            int hostDataAlignment,
            boolean headerDigest,
            boolean dataDigest,
            int maxR2t) {
        LittleEndian.zero(buffer, at, SIZE);
        PduHeader.encode(buffer, at, PduType.IC_REQ, 0, 0, SIZE);
        LittleEndian.u8(buffer, at + HOST_DATA_ALIGNMENT, hostDataAlignment);
        LittleEndian.u8(buffer, at + DIGESTS, digests(headerDigest, dataDigest));
        LittleEndian.i32(buffer, at + MAX_R2T, maxR2t);
    }

    static int digests(boolean header, boolean data) {
        return (header ? DIGEST_HEADER : 0) | (data ? DIGEST_DATA : 0);
    }

    /**
     * Checks a complete PDU.
     *
     * @throws MalformedPduException if version or alignment are not supported
     */
    public static void check(ByteBuffer buffer, int at) throws MalformedPduException {
        checkVersion(LittleEndian.u16(buffer, at + FORMAT_VERSION), FORMAT_VERSION);
        checkAlignment(hostDataAlignment(buffer, at), HOST_DATA_ALIGNMENT);
    }

    static void checkVersion(int version, int field) throws MalformedPduException {
        if (version != 0) {
            throw new MalformedPduException(
                    UNSUPPORTED_PARAMETER,
                    field,
                    "PDU format version " + version + " instead of 0");
        }
    }

    static void checkAlignment(int alignment, int field) throws MalformedPduException {
        if (alignment > MAX_ALIGNMENT_FIELD) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD, field, "data alignment " + alignment + ", above 31");
        }
    }

    /** HPDA, 0..31; {@link PduFraming#alignmentOf} makes bytes of it. */
    public static int hostDataAlignment(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + HOST_DATA_ALIGNMENT);
    }

    public static boolean wantsHeaderDigest(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + DIGESTS) & DIGEST_HEADER) != 0;
    }

    public static boolean wantsDataDigest(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + DIGESTS) & DIGEST_DATA) != 0;
    }

    /** MAXR2T as in the field, unsigned: one less than the number. */
    public static long maxR2t(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + MAX_R2T);
    }
}
