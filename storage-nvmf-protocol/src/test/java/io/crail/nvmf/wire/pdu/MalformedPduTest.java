// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.crail.nvmf.wire.Bytes;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a peer must not send is refused, with the status and the field that it is to be told. */
class MalformedPduTest {
    private static final PduFraming DIGESTS = new PduFraming(true, true, 8);

    @ParameterizedTest
    @CsvSource({
        // bytes of the common header, sender, digests, status, information
        "08 00 18 00 18 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 0", // no such type
        "ff 00 18 00 18 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 0",
        "04 00 48 00 48 00 00 00, CONTROLLER, false, SEQUENCE_ERROR, 0", // the host's own
        "05 00 18 00 18 00 00 00, HOST, false, SEQUENCE_ERROR, 0",
        "05 00 17 00 18 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 2", // HLEN
        "05 00 18 00 19 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 4", // PLEN
        "05 00 18 00 17 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 4",
        "05 01 18 00 18 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 1", // HDGSTF
        "05 00 18 00 18 00 00 00, CONTROLLER, true, INVALID_HEADER_FIELD, 1",
        "05 01 18 00 18 00 00 00, CONTROLLER, true, INVALID_HEADER_FIELD, 4", // no digest in it
        "07 00 18 17 18 02 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 3", // PDO in header
        "07 00 18 19 18 02 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 3", // PDO not aligned
        "07 00 18 80 20 00 00 00, CONTROLLER, false, INVALID_HEADER_FIELD, 3", // PDO behind
        "07 01 18 20 20 02 00 00, CONTROLLER, true, INVALID_HEADER_FIELD, 1", // no DDGSTF
        "07 03 18 1c 24 02 00 00, CONTROLLER, true, INVALID_HEADER_FIELD, 3", // not of 8
        "07 03 18 20 23 00 00 00, CONTROLLER, true, INVALID_HEADER_FIELD, 3", // digest cut
        "07 00 18 18 01 00 00 01, CONTROLLER, false, INVALID_HEADER_FIELD, 4", // too long
        "07 00 18 18 ff ff ff ff, CONTROLLER, false, INVALID_HEADER_FIELD, 4",
        "00 00 80 00 81 00 00 00, HOST, false, INVALID_HEADER_FIELD, 4",
        "02 00 18 00 99 00 00 00, HOST, false, INVALID_HEADER_FIELD, 4", // quotes 129 bytes
        "02 00 18 00 17 00 00 00, HOST, false, INVALID_HEADER_FIELD, 4",
    })
    void commonHeader(
            String bytes,
            PduType.Sender sender,
            boolean digests,
            FatalErrorStatus status,
            int information) {
        PduFraming framing = digests ? DIGESTS : PduFraming.PLAIN;
        MalformedPduException refusal =
                catchThrowableOfType(
                        MalformedPduException.class,
                        () -> framing.checkHeader(Bytes.of(bytes), 0, sender, 1 << 24));
        assertThat(refusal).as(bytes.toLowerCase(Locale.ROOT)).isNotNull();
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.information()).isEqualTo(information);
    }

    @Test
    void requestsToTerminateNeedNoDigests() throws Exception {
        ByteBuffer request = Bytes.of("03 00 18 00 18 00 00 00 *16");
        assertThat(DIGESTS.checkHeader(request, 0, PduType.Sender.CONTROLLER, 100))
                .isEqualTo(PduType.C2H_TERM_REQ);
        assertThat(DIGESTS.headerSize(PduType.C2H_TERM_REQ)).isEqualTo(24);
        DIGESTS.checkHeaderDigest(request, 0, PduType.C2H_TERM_REQ, new PduDigest());
    }

    @Test
    void everyFlippedBitOfHeaderIsNoticedByItsDigest() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        ReadyToTransfer.encode(buffer, 0, DIGESTS, 1, 2, 0, 512);
        PduDigest digest = new PduDigest();
        assertThat(DIGESTS.sealHeader(buffer, 0, PduType.R2T, digest)).isEqualTo(28);
        for (int bit = 0; bit < 28 * 8; bit++) {
            int at = bit / 8;
            byte before = buffer.get(at);
            buffer.put(at, (byte) (before ^ 1 << bit % 8));
            MalformedPduException refusal =
                    catchThrowableOfType(
                            MalformedPduException.class,
                            () -> DIGESTS.checkHeaderDigest(buffer, 0, PduType.R2T, digest));
            assertThat(refusal).as("bit " + bit).isNotNull();
            assertThat(refusal.status()).isEqualTo(FatalErrorStatus.HEADER_DIGEST_ERROR);
            buffer.put(at, before);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "07 00 18 18 18 02 00 00 01 00 00 00 00 00 00 00 00 01 00 00 *4, 16", // says 256 of 512
        "07 00 18 00 18 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 *4, 16", // no data
        "07 00 18 18 18 02 00 00 01 00 00 00 02 00 00 00 00 02 00 00 *4, 12", // offset 2
        "07 08 18 18 18 02 00 00 01 00 00 00 00 00 00 00 00 02 00 00 *4, 1", // SUCCESS, not last
    })
    void data(String bytes, int information) {
        MalformedPduException refusal =
                catchThrowableOfType(
                        MalformedPduException.class,
                        () -> {
                            ByteBuffer pdu = Bytes.of(bytes);
                            PduType type =
                                    PduFraming.PLAIN.checkHeader(
                                            pdu, 0, PduType.Sender.CONTROLLER, 1 << 20);
                            DataPdu.check(pdu, 0, PduFraming.PLAIN, type);
                        });
        assertThat(refusal).isNotNull();
        assertThat(refusal.status()).isEqualTo(FatalErrorStatus.INVALID_HEADER_FIELD);
        assertThat(refusal.information()).isEqualTo(information);
    }

    @ParameterizedTest
    @CsvSource({
        "09 00 18 00 18 00 00 00 01 00 01 00 00 00 00 00 00 00 00 00 *4, 16", // for nothing
        "09 00 18 00 18 00 00 00 01 00 01 00 01 00 00 00 00 02 00 00 *4, 12", // offset 1
    })
    void readyToTransfer(String bytes, int information) {
        MalformedPduException refusal =
                catchThrowableOfType(
                        MalformedPduException.class,
                        () -> ReadyToTransfer.check(Bytes.of(bytes), 0));
        assertThat(refusal).isNotNull();
        assertThat(refusal.information()).isEqualTo(information);
    }

    @ParameterizedTest
    @CsvSource({
        "01 00 *6 UNSUPPORTED_PARAMETER 8",
        "00 00 20 00 00 00 00 00 INVALID_HEADER_FIELD 10",
    })
    void initializeRequest(String line) {
        assertRefusal(line, pdu -> InitializeRequest.check(pdu, 0), "00 00 80 00 80 00 00 00 ");
    }

    @ParameterizedTest
    @CsvSource({
        "01 00 00 00 00 10 00 00 UNSUPPORTED_PARAMETER 8",
        "00 00 20 00 00 10 00 00 INVALID_HEADER_FIELD 10",
        "00 00 00 00 fc 0f 00 00 INVALID_HEADER_FIELD 12", // 4092
        "00 00 00 00 01 10 00 00 INVALID_HEADER_FIELD 12", // 4097
    })
    void initializeResponse(String line) {
        assertRefusal(line, pdu -> InitializeResponse.check(pdu, 0), "01 00 80 00 80 00 00 00 ");
    }

    /** Checks a PDU. */
    private interface Check {
        void check(ByteBuffer pdu) throws MalformedPduException;
    }

    private static void assertRefusal(String line, Check check, String header) {
        String[] parts = line.split(" (?=[A-Z])", 2);
        String[] expected = parts[1].split(" ", 2);
        ByteBuffer pdu = Bytes.of(header + parts[0] + " *112");
        MalformedPduException refusal =
                catchThrowableOfType(MalformedPduException.class, () -> check.check(pdu));
        assertThat(refusal).isNotNull();
        assertThat(refusal.status()).hasToString(expected[0]);
        assertThat(refusal.information()).isEqualTo(Integer.parseInt(expected[1]));
    }
}
