// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * ICResp: the controller's answer to ICReq (TCP transport 1.0, section 3.6.2.3).
 *
 * <pre>
 *  8  u16  PFV: version of the PDU format, 0
 * 10  u8   CPDA: alignment of data that the controller asks for, in units of 4 bytes, from zero
 * 11  u8   DGST: digests that are in use
 * 12  u32  MAXH2CDATA: most data in one H2CData PDU, in bytes; at least 4,096, a multiple of 4
 * 16       reserved up to 128
 * </pre>
 */
public final class InitializeResponse {
    public static final int FORMAT_VERSION = 8;
    public static final int CONTROLLER_DATA_ALIGNMENT = 10;
    public static final int DIGESTS = 11;
    public static final int MAX_DATA = 12;

    /** Length of the PDU. */
    public static final int SIZE = 128;

    /** Smallest MAXH2CDATA that a controller may name. */
    public static final int LEAST_MAX_DATA = 4096;

    private InitializeResponse() {}

    /**
     * Writes the whole PDU.
     *
     * @param controllerDataAlignment CPDA, 0..31
     * @param maxData MAXH2CDATA in bytes
     */
    public static void encode(
            ByteBuffer buffer,
            int at,
            int controllerDataAlignment,
            boolean headerDigest,
            boolean dataDigest,
            int maxData) {
        LittleEndian.zero(buffer, at, SIZE);
        PduHeader.encode(buffer, at, PduType.IC_RESP, 0, 0, SIZE);
        LittleEndian.u8(buffer, at + CONTROLLER_DATA_ALIGNMENT, controllerDataAlignment);
        LittleEndian.u8(buffer, at + DIGESTS, InitializeRequest.digests(headerDigest, dataDigest));
        LittleEndian.i32(buffer, at + MAX_DATA, maxData);
    }

    /**
     * Checks a complete PDU.
     *
     * @throws MalformedPduException if version, alignment or MAXH2CDATA are not allowed
     */
    public static void check(ByteBuffer buffer, int at) throws MalformedPduException {
        InitializeRequest.checkVersion(
                LittleEndian.u16(buffer, at + FORMAT_VERSION), FORMAT_VERSION);
        InitializeRequest.checkAlignment(
                controllerDataAlignment(buffer, at), CONTROLLER_DATA_ALIGNMENT);
        long maxData = maxData(buffer, at);
        if (maxData < LEAST_MAX_DATA || maxData % 4 != 0) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    MAX_DATA,
                    "MAXH2CDATA of " + maxData + ", no multiple of 4 from 4096");
        }
    }

    /** CPDA, 0..31; {@link PduFraming#alignmentOf} makes bytes of it. */
    public static int controllerDataAlignment(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + CONTROLLER_DATA_ALIGNMENT);
    }

    public static boolean hasHeaderDigest(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + DIGESTS) & InitializeRequest.DIGEST_HEADER) != 0;
    }

    public static boolean hasDataDigest(ByteBuffer buffer, int at) {
        return (LittleEndian.u8(buffer, at + DIGESTS) & InitializeRequest.DIGEST_DATA) != 0;
    }

    /** MAXH2CDATA in bytes. */
    public static long maxData(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + MAX_DATA);
    }
}
