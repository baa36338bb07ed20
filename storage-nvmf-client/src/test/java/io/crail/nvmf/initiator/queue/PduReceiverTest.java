// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.pdu.ResponseCapsule;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The same PDUs are found however the bytes arrive. */
class PduReceiverTest {
    private static final PduFraming DIGESTS = new PduFraming(true, true, 4);
    private static final int READ_BYTES = 100_000;

    private final byte[] data = new byte[READ_BYTES];
    private final ByteBuffer destination = ByteBuffer.allocateDirect(READ_BYTES);
    private final List<String> found = new ArrayList<>();
    private int mostAtATime = Integer.MAX_VALUE;
    private int foundBefore;
    private final Place place = new Place(0, ByteBuffer.allocateDirect(Place.ROOM));

    PduReceiverTest() {
        new Random(2).nextBytes(data);
    }

    /** Gives the bytes of a stream in reads of chosen lengths. */
    private static final class Trickle implements ScatteringByteChannel {
        private final byte[] stream;
        private final int first;
        private final int others;
        private int at;

        Trickle(byte[] stream, int first, int others) {
            this.stream = stream;
            this.first = first;
            this.others = others;
        }

        boolean isEmpty() {
            return at == stream.length;
        }

        @Override
        public long read(ByteBuffer[] buffers, int offset, int length) {
            int budget = Math.min(at < first ? first - at : others, stream.length - at);
            long total = 0;
            for (int i = offset; i < offset + length; i++) {
                int count = Math.min(budget, buffers[i].remaining());
                buffers[i].put(stream, at, count);
                at += count;
                budget -= count;
                total += count;
            }
            return total;
        }

        @Override
        public long read(ByteBuffer[] buffers) {
            return read(buffers, 0, buffers.length);
        }

        @Override
        public int read(ByteBuffer buffer) {
            return (int) read(new ByteBuffer[] {buffer}, 0, 1);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    /** Writes down what is found. */
    private final class Recorder implements PduReceiver.Events {
        @Override
        public void initialized(ByteBuffer buffer, int at) {
            throw new AssertionError("no ICResp was sent");
        }

        @Override
        public void responded(ByteBuffer buffer, int at) {
            found.add(
                    "response "
                            + CompletionEntry.commandId(
                                    buffer, at + ResponseCapsule.COMPLETION_ENTRY));
        }

        @Override
        public void asked(ByteBuffer buffer, int at) {
            found.add("r2t " + ReadyToTransfer.transferTag(buffer, at));
        }

        @Override
        public void terminated(ByteBuffer buffer, int at, int quoted) {
            throw new AssertionError("no C2HTermReq was sent");
        }

        @Override
        public Place dataBegins(ByteBuffer buffer, int at) {
            int offset = (int) DataPdu.offset(buffer, at);
            int length = (int) DataPdu.length(buffer, at);
            place.receiveData = destination.duplicate().limit(offset + length).position(offset);
            return place;
        }

        @Override
        public void dataEnded(Place owner, boolean matches, boolean last, boolean success) {
            found.add("data " + matches + " " + last + " " + success);
        }

        @Override
        public boolean mayGoOn() {
            return found.size() - foundBefore < mostAtATime;
        }
    }

    private byte[] stream(PduFraming framing, int... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PduDigest digest = new PduDigest();
        int offset = 0;
        for (int piece : pieces) {
            ByteBuffer pdu = ByteBuffer.allocate(framing.pduLength(PduType.C2H_DATA, piece));
            boolean last = offset + piece == READ_BYTES;
            DataPdu.encodeFromController(pdu, 0, framing, 0, offset, piece, last, false);
            int at = framing.sealHeader(pdu, 0, PduType.C2H_DATA, digest);
            pdu.put(at, data, offset, piece);
            if (framing.dataDigest()) {
                LittleEndian.i32(pdu, at + piece, digest.of(pdu, at, piece));
            }
            out.writeBytes(pdu.array());
            ByteBuffer r2t = ByteBuffer.allocate(framing.headerSize(PduType.R2T));
            ReadyToTransfer.encode(r2t, 0, framing, 1, piece & 0xFFFF, 0, 4);
            framing.sealHeader(r2t, 0, PduType.R2T, digest);
            out.writeBytes(r2t.array());
            offset += piece;
        }
        ByteBuffer response = ByteBuffer.allocate(framing.headerSize(PduType.CAPSULE_RESP));
        framing.encodeHeader(response, 0, PduType.CAPSULE_RESP, 0, 0);
        CompletionEntry.encode(response, ResponseCapsule.COMPLETION_ENTRY, 0, 0, 77, 0);
        framing.sealHeader(response, 0, PduType.CAPSULE_RESP, digest);
        out.writeBytes(response.array());
        return out.toByteArray();
    }

    private void receiveAll(PduFraming framing, Trickle trickle) throws Exception {
        found.clear();
        PduReceiver receiver = new PduReceiver(new Recorder());
        receiver.setFraming(framing);
        while (!trickle.isEmpty() || receiver.isPaused()) {
            foundBefore = found.size();
            assertThat(receiver.receive(trickle)).isPositive();
            assertThat(found.size() - foundBefore).isLessThanOrEqualTo(mostAtATime);
        }
    }

    @Test
    void cutAtEachByte() throws Exception {
        byte[] stream = stream(DIGESTS, 512, 1024);
        for (int cut = 1; cut < stream.length; cut++) {
            receiveAll(DIGESTS, new Trickle(stream, cut, stream.length));
            assertThat(found)
                    .as("cut at %d", cut)
                    .containsExactly(
                            "data true false false",
                            "r2t 512",
                            "data true false false",
                            "r2t 1024",
                            "response 77");
        }
        receiveAll(DIGESTS, new Trickle(stream, 1, 1));
        assertThat(found).hasSize(5);
        for (int i = 0; i < 1536; i++) {
            assertThat(destination.get(i)).isEqualTo(data[i]);
        }
    }

    @Property(tries = 300)
    void dataArrivesWholeInReadsOfAnySize(
            @ForAll @IntRange(min = 1, max = 60_000) int reads,
            @ForAll @IntRange(min = 1, max = 25_000 - 1) int quarter,
            @ForAll @IntRange(min = 1, max = 6) int most,
            @ForAll boolean digests)
            throws Exception {
        mostAtATime = most;
        PduFraming framing = digests ? DIGESTS : PduFraming.PLAIN;
        int piece = quarter * 4;
        byte[] stream = stream(framing, piece, READ_BYTES - piece);
        destination.put(0, new byte[READ_BYTES]);
        receiveAll(framing, new Trickle(stream, reads, reads));
        assertThat(found)
                .containsExactly(
                        "data true false false",
                        "r2t " + (piece & 0xFFFF),
                        "data true true false",
                        "r2t " + (READ_BYTES - piece & 0xFFFF),
                        "response 77");
        byte[] got = new byte[READ_BYTES];
        destination.get(0, got);
        assertThat(got).isEqualTo(data);
    }

    @Test
    void whatHasArrivedIsTakenLaterIfThatWasEnough() throws Exception {
        byte[] stream = stream(PduFraming.PLAIN, 512, 1024);
        mostAtATime = 2;
        Trickle all = new Trickle(stream, stream.length, 0);
        PduReceiver receiver = new PduReceiver(new Recorder());
        assertThat(receiver.receive(all)).isEqualTo(stream.length);
        assertThat(found).containsExactly("data true false false", "r2t 512");
        assertThat(receiver.isPaused()).isTrue();
        foundBefore = found.size();
        assertThat(receiver.receive(all)).as("nothing new has come").isPositive();
        assertThat(found).hasSize(4);
        assertThat(receiver.isPaused()).isTrue();
        foundBefore = found.size();
        assertThat(receiver.receive(all)).isPositive();
        assertThat(found).hasSize(5).last().isEqualTo("response 77");
        assertThat(receiver.isPaused()).isFalse();
        foundBefore = found.size();
        assertThat(receiver.receive(all)).isZero();
    }

    @Test
    void everyFlippedBitOfDataIsNoticed() throws Exception {
        byte[] stream = stream(DIGESTS, 64);
        int dataAt = DIGESTS.dataOffset(PduType.C2H_DATA);
        for (int bit = dataAt * 8; bit < (dataAt + 64 + 4) * 8; bit++) {
            byte[] flipped = stream.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            receiveAll(DIGESTS, new Trickle(flipped, bit / 8 + 1, 5));
            assertThat(found).first().isEqualTo("data false false false");
        }
    }

    /** A command that does nothing but exist. */
    static final class Idle extends Command {
        private final int blocks;

        Idle(DataDirection direction, ByteBuffer data) {
            super(direction, data);
            this.blocks = data.remaining() / 512;
        }

        @Override
        public String what() {
            return "a write of " + blocks;
        }

        @Override
        protected void encode(ByteBuffer buffer, int at, int commandId) {
            BlockCommand.encode(buffer, at, IoOpcode.WRITE, commandId, 1, 0, blocks);
        }

        @Override
        protected void completed(long result, int status) {
            throw new AssertionError("nobody answers");
        }

        @Override
        protected void failed(NvmeException cause, boolean mayHaveRun) {
            throw new AssertionError("nobody fails");
        }
    }
}
