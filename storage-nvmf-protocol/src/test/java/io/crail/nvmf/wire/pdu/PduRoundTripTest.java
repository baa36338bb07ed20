// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What one end encodes, the other decodes; and whatever comes, decoding ends in a typed way. */
class PduRoundTripTest {
    private static final List<PduType> TYPES = List.of(PduType.values());

    private static final int MAX_PDU = 1 << 24;

    @Provide
    Arbitrary<PduFraming> framings() {
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 31))
                .as((h, d, pad) -> new PduFraming(h, d, PduFraming.alignmentOf(pad)));
    }

    @Property
    void dataFromHost(
            @ForAll("framings") PduFraming framing,
            @ForAll @IntRange(max = 0xFFFF) int commandId,
            @ForAll @IntRange(max = 0xFFFF) int tag,
            @ForAll @IntRange(max = 1 << 20) int offsetUnits,
            @ForAll @IntRange(min = 1, max = 1 << 20) int length,
            @ForAll boolean last,
            @ForAll @IntRange(max = 9) int at)
            throws MalformedPduException {
        ByteBuffer buffer = Bytes.dirty(300);
        PduDigest digest = new PduDigest();
        DataPdu.encodeFromHost(buffer, at, framing, commandId, tag, offsetUnits * 4, length, last);
        int sealed = framing.sealHeader(buffer, at, PduType.H2C_DATA, digest);

        PduType type = framing.checkHeader(buffer, at, PduType.Sender.HOST, MAX_PDU);
        framing.checkHeaderDigest(buffer, at, type, digest);
        DataPdu.check(buffer, at, framing, type);
        assertThat(type).isEqualTo(PduType.H2C_DATA);
        assertThat(sealed).isEqualTo(PduHeader.dataOffset(buffer, at));
        assertThat(sealed % framing.dataAlignment()).isZero();
        assertThat(framing.dataLength(buffer, at, type)).isEqualTo(length);
        assertThat(PduHeader.pduLength(buffer, at))
                .isEqualTo(sealed + length + framing.dataDigestSize(type));
        assertThat(DataPdu.commandId(buffer, at)).isEqualTo(commandId);
        assertThat(DataPdu.transferTag(buffer, at)).isEqualTo(tag);
        assertThat(DataPdu.offset(buffer, at)).isEqualTo(offsetUnits * 4L);
        assertThat(DataPdu.isLast(buffer, at)).isEqualTo(last);
    }

    @Property
    void pdusWithoutData(
            @ForAll("framings") PduFraming framing,
            @ForAll @IntRange(max = 0xFFFF) int commandId,
            @ForAll @IntRange(min = 1) int length)
            throws MalformedPduException {
        ByteBuffer buffer = Bytes.dirty(300);
        PduDigest digest = new PduDigest();
        ReadyToTransfer.encode(buffer, 0, framing, commandId, 1, 4, length);
        int sealed = framing.sealHeader(buffer, 0, PduType.R2T, digest);
        PduType type = framing.checkHeader(buffer, 0, PduType.Sender.CONTROLLER, MAX_PDU);
        framing.checkHeaderDigest(buffer, 0, type, digest);
        ReadyToTransfer.check(buffer, 0);
        assertThat(sealed).isEqualTo(framing.headerSize(PduType.R2T));
        assertThat(framing.dataLength(buffer, 0, type)).isZero();
        assertThat(ReadyToTransfer.length(buffer, 0)).isEqualTo(length);
    }

    /** Bytes at random, most of them with a plausible beginning. */
    @Property(tries = 20_000)
    void anyHeaderIsUnderstoodOrRefused(
            @ForAll("framings") PduFraming framing,
            @ForAll long seed,
            @ForAll PduType.Sender sender) {
        checkAnything(framing, seed, sender);
    }

    static void checkAnything(PduFraming framing, long seed, PduType.Sender sender) {
        Random random = new Random(seed);
        byte[] bytes = new byte[256];
        random.nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        PduType likely = TYPES.get(random.nextInt(TYPES.size()));
        if (random.nextInt(8) > 0) {
            framing.encodeHeader(buffer, 0, likely, 0, random.nextInt(4096));
            int flips = random.nextInt(4);
            for (int i = 0; i < flips; i++) {
                buffer.put(random.nextInt(PduHeader.SIZE), (byte) random.nextInt());
            }
        }
        try {
            PduType type = framing.checkHeader(buffer, 0, sender, MAX_PDU);
            assertThat(type.sender()).isEqualTo(sender);
            int length = framing.dataLength(buffer, 0, type);
            assertThat(length).isBetween(0, MAX_PDU);
            assertThat(framing.headerSize(type) + length)
                    .isLessThanOrEqualTo((int) PduHeader.pduLength(buffer, 0));
            framing.checkHeaderDigest(buffer, 0, type, new PduDigest());
            if (type == PduType.C2H_DATA || type == PduType.H2C_DATA) {
                DataPdu.check(buffer, 0, framing, type);
                assertThat(DataPdu.length(buffer, 0)).isEqualTo(length);
            }
        } catch (MalformedPduException refusal) {
            assertThat(refusal.getMessage()).isNotEmpty();
            assertThat(refusal.status().namesField() ? refusal.information() : 0)
                    .isBetween(0, PduType.MAX_HEADER_LENGTH);
        }
    }
}
