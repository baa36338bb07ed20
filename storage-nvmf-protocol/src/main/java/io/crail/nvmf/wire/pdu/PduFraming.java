// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.HEADER_DIGEST_ERROR;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.SEQUENCE_ERROR;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Where header, digests, padding and data lie in the PDUs of one direction of a connection, after
 * what ICReq and ICResp negotiated (TCP transport 1.0, section 3.6.1). The sender makes headers
 * with it, the receiver checks them: both ends of one direction have equal framings.
 *
 * <pre>
 * | header (HLEN) | header digest | padding | data (from PDO) | data digest |
 * </pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param headerDigest whether headers have digests
 * @param dataDigest whether data has digests
 * @param dataAlignment in bytes, a multiple of four up to 128: where data may begin in a PDU; what
 *     the receiver asked for (CPDA of the controller for PDUs of the host, HPDA for those of the
 *     controller)
 */
public record PduFraming(boolean headerDigest, boolean dataDigest, int dataAlignment) {
    /** Before a connection is set up, and for what never has digests. */
    public static final PduFraming PLAIN = new PduFraming(false, false, 4);

    /** Unit of HPDA and CPDA, which count from zero. */
    private static final int ALIGNMENT_UNIT = 4;

    private static final int MAX_ALIGNMENT = 128;

    public PduFraming {
        if (dataAlignment < ALIGNMENT_UNIT
                || dataAlignment > MAX_ALIGNMENT
                || dataAlignment % ALIGNMENT_UNIT != 0) {
            throw new IllegalArgumentException(
                    "a data alignment of "
                            + dataAlignment
                            + " bytes is no multiple of 4 up to 128");
        }
    }

    /** The alignment in bytes that a value of HPDA or CPDA (0..31) asks for. */
    public static int alignmentOf(int padField) {
        return (padField + 1) * ALIGNMENT_UNIT;
    }

    /** Length of the header of such a PDU with its digest. */
    public int headerSize(PduType type) {
        return type.headerLength() + (hasHeaderDigest(type) ? PduDigest.SIZE : 0);
    }

    private boolean hasHeaderDigest(PduType type) {
        return headerDigest && type.mayHaveDigests();
    }

    /** PDO of a PDU that carries data. */
    public int dataOffset(PduType type) {
        int size = headerSize(type);
        return (size + dataAlignment - 1) / dataAlignment * dataAlignment;
    }

    /** PLEN of a PDU with so much data, which may be 0. */
    public int pduLength(PduType type, int dataLength) {
        return dataLength == 0
                ? headerSize(type)
                : Math.addExact(dataOffset(type) + dataDigestSize(type), dataLength);
    }

    /** Length of the digest behind data of such a PDU. */
    public int dataDigestSize(PduType type) {
        return dataDigest && type.mayHaveDigests() ? PduDigest.SIZE : 0;
    }

    /**
     * Writes the common header of a PDU.
     *
     * @param flags of the type's own (LAST, SUCCESS); those of digests are added
     * @param dataLength what follows, without digest; for a request to terminate the length of the
     *     header that it quotes
     */
    public void encodeHeader(ByteBuffer buffer, int at, PduType type, int flags, int dataLength) {
        if (type.payload() == PduType.Payload.FAULTY_HEADER) {
            PduHeader.encode(buffer, at, type, 0, 0, type.headerLength() + dataLength);
            return;
        }
        boolean data = dataLength > 0;
        int all = flags;
        if (hasHeaderDigest(type)) {
            all |= PduHeader.FLAG_HEADER_DIGEST;
        }
        if (data && dataDigest) {
            all |= PduHeader.FLAG_DATA_DIGEST;
        }
        PduHeader.encode(
                buffer, at, type, all, data ? dataOffset(type) : 0, pduLength(type, dataLength));
    }

    /**
     * Writes what follows a complete header up to the data: digest and zeros.
     *
     * @return the number of bytes from {@code at} to the data, or to the end of the PDU if it
     *     carries none: what is to be sent of this buffer
     */
    public int sealHeader(ByteBuffer buffer, int at, PduType type, PduDigest digest) {
        int length = type.headerLength();
        int size = headerSize(type);
        if (size > length) {
            LittleEndian.i32(buffer, at + length, digest.of(buffer, at, length));
        }
        int offset = PduHeader.dataOffset(buffer, at);
        if (offset <= size) {
            return size;
        }
        LittleEndian.zero(buffer, at + size, offset - size);
        return offset;
    }

    /**
     * Checks the common header of a PDU that begins to arrive. Afterwards its lengths are safe to
     * use: the header has {@link #headerSize}, the data {@link #dataLength} bytes.
     *
     * @param sender the peer
     * @param maxPduLength longest PDU that is accepted
     * @throws MalformedPduException if the PDU is not allowed
     */
    public PduType checkHeader(ByteBuffer buffer, int at, PduType.Sender sender, long maxPduLength)
            throws MalformedPduException {
        PduType type = PduType.ofCode(PduHeader.type(buffer, at));
        if (type == null) {
            throw invalid(
                    PduHeader.TYPE, "a PDU of the unknown type " + PduHeader.type(buffer, at));
        }
        if (type.sender() != sender) {
            throw new MalformedPduException(
                    SEQUENCE_ERROR, 0, "a " + type + ", which the " + sender + " never sends");
        }
        if (PduHeader.headerLength(buffer, at) != type.headerLength()) {
            throw invalid(
                    PduHeader.HEADER_LENGTH,
                    "a " + type + " with a header of " + PduHeader.headerLength(buffer, at));
        }
        checkFlags(buffer, at, type);
        checkLength(buffer, at, type, maxPduLength);
        return type;
    }

    private void checkFlags(ByteBuffer buffer, int at, PduType type) throws MalformedPduException {
        if (!type.mayHaveDigests()) {
            return; // reserved there, so ignored
        }
        if (PduHeader.hasFlag(buffer, at, PduHeader.FLAG_HEADER_DIGEST) != headerDigest) {
            throw invalid(PduHeader.FLAGS, "a " + type + " whose HDGSTF is not as negotiated");
        }
        if (type.mayCarryData()
                && PduHeader.hasFlag(buffer, at, PduHeader.FLAG_DATA_DIGEST) != dataDigest
                && PduHeader.pduLength(buffer, at) > headerSize(type)) {
            throw invalid(PduHeader.FLAGS, "a " + type + " whose DDGSTF is not as negotiated");
        }
    }

    private void checkLength(ByteBuffer buffer, int at, PduType type, long maxPduLength)
            throws MalformedPduException {
        long length = PduHeader.pduLength(buffer, at);
        int header = headerSize(type);
        boolean fits =
                switch (type.payload()) {
                    case NONE -> length == header;
                    case FAULTY_HEADER ->
                            length >= header && length <= header + PduType.MAX_HEADER_LENGTH;
                    case DATA -> length >= header && length <= maxPduLength;
                };
        if (!fits) {
            throw invalid(PduHeader.PDU_LENGTH, "a " + type + " of " + length + " bytes");
        }
        if (type.mayCarryData() && length > header) {
            checkDataOffset(buffer, at, type, length);
        }
    }

    private void checkDataOffset(ByteBuffer buffer, int at, PduType type, long length)
            throws MalformedPduException {
        int offset = PduHeader.dataOffset(buffer, at);
        if (offset < headerSize(type)
                || offset % dataAlignment != 0
                || offset + dataDigestSize(type) > length) {
            throw invalid(
                    PduHeader.DATA_OFFSET,
                    "a " + type + " of " + length + " bytes with its data at " + offset);
        }
    }

    /**
     * Length of the data of a checked PDU, without padding and digest.
     *
     * @param buffer with a header that {@link #checkHeader} passed
     */
    public int dataLength(ByteBuffer buffer, int at, PduType type) {
        long length = PduHeader.pduLength(buffer, at);
        if (!type.mayCarryData()) {
            return (int) length - headerSize(type);
        }
        if (length <= headerSize(type)) {
            return 0;
        }
        return (int) (length - PduHeader.dataOffset(buffer, at) - dataDigestSize(type));
    }

    /**
     * Compares the digest of a complete header.
     *
     * @throws MalformedPduException if it differs
     */
    public void checkHeaderDigest(ByteBuffer buffer, int at, PduType type, PduDigest digest)
            throws MalformedPduException {
        if (!hasHeaderDigest(type)) {
            return;
        }
        int length = type.headerLength();
        int received = LittleEndian.i32(buffer, at + length);
        int computed = digest.of(buffer, at, length);
        if (received != computed) {
            throw new MalformedPduException(
                    HEADER_DIGEST_ERROR,
                    received,
                    "a "
                            + type
                            + " with the header digest "
                            + Integer.toHexString(received)
                            + " instead of "
                            + Integer.toHexString(computed));
        }
    }

    private static MalformedPduException invalid(int field, String what) {
        return new MalformedPduException(INVALID_HEADER_FIELD, field, what);
    }
}
