// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is posted together leaves together, and whole, however little a connection takes. */
class PduSenderTest {
    private static final PduFraming FRAMING = new PduFraming(true, true, 16);
    private static final int DATA = 3 * 4096;

    /** Takes so many bytes of each write. */
    private static final class Narrow implements GatheringByteChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final int perWrite;
        int writes;

        Narrow(int perWrite) {
            this.perWrite = perWrite;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            writes++;
            int budget = perWrite;
            for (int i = offset; i < offset + length; i++) {
                while (budget > 0 && sources[i].hasRemaining()) {
                    taken.write(sources[i].get());
                    budget--;
                }
            }
            return (long) perWrite - budget;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public int write(ByteBuffer source) {
            return (int) write(new ByteBuffer[] {source}, 0, 1);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static ByteBuffer random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return ByteBuffer.allocateDirect(size).put(bytes).flip();
    }

    private static Place place(PlaceTable table, int size) {
        Place place =
                table.take(
                        new PduReceiverTest.Idle(DataDirection.HOST_TO_CONTROLLER, random(size)));
        if (place == null) {
            throw new AssertionError("all places are taken");
        }
        return place;
    }

    @Test
    void commandsThatWerePostedTogetherLeaveInOneWrite() throws Exception {
        PduSender sender = new PduSender(FRAMING, 0, DATA, new DataSharing());
        PlaceTable table = new PlaceTable(32);
        for (int i = 0; i < 32; i++) {
            sender.addCapsule(place(table, 512));
        }
        Narrow channel = new Narrow(Integer.MAX_VALUE);
        List<Place> settled = new ArrayList<>();
        assertThat(sender.send(channel, settled)).isTrue();
        assertThat(channel.writes).isEqualTo(1);
        assertThat(channel.taken.size()).isEqualTo(32 * 76);
        assertThat(settled).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 75, 76, 77, 4096, 100_000})
    void everyByteLeavesOnceInOrder(int perWrite) throws Exception {
        byte[] whole = send(Integer.MAX_VALUE);
        byte[] pieces = send(perWrite);
        assertThat(pieces).isEqualTo(whole);

        ByteBuffer stream = ByteBuffer.wrap(whole);
        byte[] data = new byte[DATA];
        random(DATA).get(data);
        int got = 0;
        int at = 0;
        List<PduType> types = new ArrayList<>();
        while (at < whole.length) {
            PduType type = FRAMING.checkHeader(stream, at, PduType.Sender.HOST, 1 << 20);
            types.add(type);
            if (type == PduType.H2C_DATA) {
                int length = FRAMING.dataLength(stream, at, type);
                int from = at + PduHeader.dataOffset(stream, at);
                assertThat(Arrays.copyOfRange(whole, from, from + length))
                        .isEqualTo(Arrays.copyOfRange(data, got, got + length));
                got += length;
            }
            at += (int) PduHeader.pduLength(stream, at);
        }
        assertThat(got).isEqualTo(DATA);
        assertThat(types)
                .containsExactlyInAnyOrder(
                        PduType.CAPSULE_CMD,
                        PduType.CAPSULE_CMD,
                        PduType.H2C_DATA,
                        PduType.H2C_DATA,
                        PduType.H2C_DATA);
    }

    /** A capsule with data in it, a capsule without, and then what an R2T asked for. */
    private static byte[] send(int perWrite) throws Exception {
        PduSender sender = new PduSender(FRAMING, 4096, 4096, new DataSharing());
        PlaceTable table = new PlaceTable(2);
        Place large = place(table, DATA);
        sender.addCapsule(large);
        sender.addCapsule(place(table, 4096));
        Narrow channel = new Narrow(perWrite);
        List<Place> settled = new ArrayList<>();
        sendAll(sender, channel, settled);
        assertThat(large.stage).isEqualTo(Place.Stage.SENT);
        large.transferring = true;
        large.answered = true;
        large.transferTag = 1;
        large.transferOffset = 0;
        large.transferEnd = DATA;
        sender.addTransfer(large);
        sendAll(sender, channel, settled);
        assertThat(settled).containsExactly(large);
        return channel.taken.toByteArray();
    }

    private static void sendAll(PduSender sender, Narrow channel, List<Place> settled)
            throws Exception {
        while (!sender.send(channel, settled)) {
            assertThat(sender.isIdle()).isFalse();
        }
        assertThat(sender.isIdle()).isTrue();
    }
}
