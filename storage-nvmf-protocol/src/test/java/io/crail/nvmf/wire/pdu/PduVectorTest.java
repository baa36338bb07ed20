// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Each PDU against bytes written by hand after the figures of the TCP transport specification. */
class PduVectorTest {
    private static final int AT = 3; // nothing is aligned

    private final ByteBuffer buffer = Bytes.dirty(512);

    /** Figure "Initialize Connection Request PDU (ICReq)". */
    @Test
    void initializeRequest() throws Exception {
        String bytes =
                "00 00 80 00 80 00 00 00" // type, flags, HLEN, PDO, PLEN
                        + " 00 00 1f 03" // PFV, HPDA, DGST
                        + " 07 00 00 00" // MAXR2T
                        + " *112";
        InitializeRequest.encode(buffer, AT, 31, true, true, 7);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(check(PduFraming.PLAIN, received, PduType.Sender.HOST))
                .isEqualTo(PduType.IC_REQ);
        InitializeRequest.check(received, 0);
        assertThat(InitializeRequest.hostDataAlignment(received, 0)).isEqualTo(31);
        assertThat(PduFraming.alignmentOf(31)).isEqualTo(128);
        assertThat(InitializeRequest.wantsHeaderDigest(received, 0)).isTrue();
        assertThat(InitializeRequest.wantsDataDigest(received, 0)).isTrue();
        assertThat(InitializeRequest.maxR2t(received, 0)).isEqualTo(7);
    }

    /** Figure "Initialize Connection Response PDU (ICResp)". */
    @Test
    void initializeResponse() throws Exception {
        String bytes =
                "01 00 80 00 80 00 00 00" // type, flags, HLEN, PDO, PLEN
                        + " 00 00 03 02" // PFV, CPDA, DGST
                        + " 00 00 40 00" // MAXH2CDATA: 4 MiB
                        + " *112";
        InitializeResponse.encode(buffer, AT, 3, false, true, 4 << 20);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(check(PduFraming.PLAIN, received, PduType.Sender.CONTROLLER))
                .isEqualTo(PduType.IC_RESP);
        InitializeResponse.check(received, 0);
        assertThat(InitializeResponse.controllerDataAlignment(received, 0)).isEqualTo(3);
        assertThat(InitializeResponse.hasHeaderDigest(received, 0)).isFalse();
        assertThat(InitializeResponse.hasDataDigest(received, 0)).isTrue();
        assertThat(InitializeResponse.maxData(received, 0)).isEqualTo(4 << 20);
    }

    /** Figure "Host to Controller Terminate Connection Request PDU (H2CTermReq)". */
    @Test
    void terminateRequestOfHost() throws Exception {
        String fault = "07 00 18 1a 18 10 00 00 05 00 00 00 00 00 00 00 00 10 00 00 *4";
        String bytes =
                "02 00 18 00 30 00 00 00" // type, flags, HLEN, PDO, PLEN: 24 + 24
                        + " 01 00 03 00 00 00" // FES: header field, FEI: PDO
                        + " *10 "
                        + fault;
        int size =
                TerminateRequest.encode(
                        buffer,
                        AT,
                        PduType.H2C_TERM_REQ,
                        FatalErrorStatus.INVALID_HEADER_FIELD,
                        PduHeader.DATA_OFFSET,
                        Bytes.of(fault),
                        0,
                        24);
        assertThat(size).isEqualTo(48);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        PduType type = check(PduFraming.PLAIN, received, PduType.Sender.HOST);
        assertThat(type).isEqualTo(PduType.H2C_TERM_REQ);
        assertThat(PduFraming.PLAIN.dataLength(received, 0, type)).isEqualTo(24);
        assertThat(TerminateRequest.status(received, 0)).isEqualTo(1);
        assertThat(TerminateRequest.information(received, 0)).isEqualTo(3);
    }

    /** Figure "Controller to Host Terminate Connection Request PDU (C2HTermReq)". */
    @Test
    void terminateRequestOfController() throws Exception {
        String bytes = "03 00 18 00 18 00 00 00 05 00 *14";
        int size =
                TerminateRequest.encode(
                        buffer,
                        AT,
                        PduType.C2H_TERM_REQ,
                        FatalErrorStatus.DATA_LIMIT_EXCEEDED,
                        0,
                        buffer,
                        400,
                        0);
        assertThat(size).isEqualTo(24);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(check(PduFraming.PLAIN, received, PduType.Sender.CONTROLLER))
                .isEqualTo(PduType.C2H_TERM_REQ);
        int code = TerminateRequest.status(received, 0);
        assertThat(FatalErrorStatus.find(code, PduType.Sender.CONTROLLER))
                .isEqualTo(FatalErrorStatus.DATA_LIMIT_EXCEEDED);
        assertThat(FatalErrorStatus.find(code, PduType.Sender.HOST))
                .isEqualTo(FatalErrorStatus.R2T_LIMIT_EXCEEDED);
    }

    /** Figure "Command Capsule PDU (CapsuleCmd)": data at 72, as a Linux host sends Connect. */
    @Test
    void commandCapsuleWithData() throws Exception {
        String bytes = "04 00 48 48 48 04 00 00"; // 72 + 1024
        PduFraming.PLAIN.encodeHeader(buffer, AT, PduType.CAPSULE_CMD, 0, 1024);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        PduType type = check(PduFraming.PLAIN, received, PduType.Sender.HOST);
        assertThat(type).isEqualTo(PduType.CAPSULE_CMD);
        assertThat(PduFraming.PLAIN.dataLength(received, 0, type)).isEqualTo(1024);
    }

    /** The same with both digests and data aligned to 128 bytes. */
    @Test
    void commandCapsuleWithDigestsAndPadding() throws Exception {
        PduFraming framing = new PduFraming(true, true, 128);
        String bytes = "04 03 48 80 84 10 00 00"; // 128 + 4096 + 4
        framing.encodeHeader(buffer, AT, PduType.CAPSULE_CMD, 0, 4096);
        assertBytes(buffer, AT, bytes);
        assertThat(framing.sealHeader(buffer, AT, PduType.CAPSULE_CMD, new PduDigest()))
                .isEqualTo(128);
        assertBytes(buffer, AT + 76, "*52"); // padding

        ByteBuffer received = Bytes.of(bytes);
        PduType type = check(framing, received, PduType.Sender.HOST);
        assertThat(framing.dataLength(received, 0, type)).isEqualTo(4096);
        framing.checkHeaderDigest(buffer, AT, type, new PduDigest());
    }

    /** Figure "Response Capsule PDU (CapsuleResp)". */
    @Test
    void responseCapsule() throws Exception {
        PduFraming framing = new PduFraming(true, true, 4);
        String bytes = "05 01 18 00 1c 00 00 00";
        framing.encodeHeader(buffer, AT, PduType.CAPSULE_RESP, 0, 0);
        assertBytes(buffer, AT, bytes);
        assertThat(check(framing, Bytes.of(bytes), PduType.Sender.CONTROLLER))
                .isEqualTo(PduType.CAPSULE_RESP);
    }

    /** Figure "Host To Controller Data Transfer PDU (H2CData)". */
    @Test
    void dataOfHost() throws Exception {
        String bytes =
                "06 04 18 18 18 20 00 00" // LAST_PDU; 24 + 8192
                        + " 34 12 78 56" // CCCID, TTAG
                        + " 00 10 00 00 00 20 00 00 *4"; // DATAO, DATAL
        DataPdu.encodeFromHost(buffer, AT, PduFraming.PLAIN, 0x1234, 0x5678, 0x1000, 0x2000, true);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        PduType type = check(PduFraming.PLAIN, received, PduType.Sender.HOST);
        DataPdu.check(received, 0, PduFraming.PLAIN, type);
        assertThat(DataPdu.commandId(received, 0)).isEqualTo(0x1234);
        assertThat(DataPdu.transferTag(received, 0)).isEqualTo(0x5678);
        assertThat(DataPdu.offset(received, 0)).isEqualTo(0x1000);
        assertThat(DataPdu.length(received, 0)).isEqualTo(0x2000);
        assertThat(DataPdu.isLast(received, 0)).isTrue();
    }

    /** Figure "Controller To Host Data Transfer PDU (C2HData)". */
    @Test
    void dataOfController() throws Exception {
        PduFraming framing = new PduFraming(false, true, 4);
        String bytes =
                "07 0e 18 18 1c 02 00 00" // DDGST, LAST_PDU, SUCCESS; 24 + 512 + 4
                        + " 34 12 00 00" // CCCID, reserved
                        + " 00 02 00 00 00 02 00 00 *4"; // DATAO, DATAL
        DataPdu.encodeFromController(buffer, AT, framing, 0x1234, 0x200, 0x200, true, true);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        PduType type = check(framing, received, PduType.Sender.CONTROLLER);
        DataPdu.check(received, 0, framing, type);
        assertThat(framing.dataLength(received, 0, type)).isEqualTo(512);
        assertThat(DataPdu.isSuccess(received, 0)).isTrue();
    }

    /** Figure "Ready to Transfer PDU (R2T)". */
    @Test
    void readyToTransfer() throws Exception {
        String bytes = "09 00 18 00 18 00 00 00" + " 34 12 78 56" + " 00 10 00 00 00 20 00 00 *4";
        ReadyToTransfer.encode(buffer, AT, PduFraming.PLAIN, 0x1234, 0x5678, 0x1000, 0x2000);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(check(PduFraming.PLAIN, received, PduType.Sender.CONTROLLER))
                .isEqualTo(PduType.R2T);
        ReadyToTransfer.check(received, 0);
        assertThat(ReadyToTransfer.commandId(received, 0)).isEqualTo(0x1234);
        assertThat(ReadyToTransfer.transferTag(received, 0)).isEqualTo(0x5678);
        assertThat(ReadyToTransfer.offset(received, 0)).isEqualTo(0x1000);
        assertThat(ReadyToTransfer.length(received, 0)).isEqualTo(0x2000);
    }

    /** The vectors of RFC 3720, appendix B.4: zeros, ones, increasing bytes. */
    @Test
    void digestIsCrc32c() {
        PduDigest digest = new PduDigest();
        assertThat(digest.of(Bytes.of("*32"), 0, 32)).isEqualTo(0x8A9136AA);
        assertThat(digest.of(Bytes.dirty(40), 4, 32)).isEqualTo(0x62A8AB43);
        ByteBuffer increasing = ByteBuffer.allocate(32);
        for (int i = 0; i < 32; i++) {
            increasing.put(i, (byte) i);
        }
        assertThat(digest.of(increasing, 0, 32)).isEqualTo(0x46DD794E);
        digest.begin();
        digest.update(increasing, 0, 7);
        digest.update(increasing, 7, 25);
        assertThat(digest.value()).isEqualTo(0x46DD794E);
    }

    private static PduType check(PduFraming framing, ByteBuffer pdu, PduType.Sender sender)
            throws MalformedPduException {
        return framing.checkHeader(pdu, 0, sender, 1 << 24);
    }
}
