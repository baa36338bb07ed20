// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.wire.command.DataDirection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * All that is to be sent leaves, once and in order, however much of it a socket takes at a time.
 */
class TransmitterTest {
    private static final int LARGE = 1 << 20;
    private static final int HEADER = 24;
    private static final int TURN = 256 << 10;

    private final DataPool pool = new DataPool(8L * LARGE, LARGE, () -> {});
    private final List<Slot> answered = new ArrayList<>();
    private final Transmitter transmitter = new Transmitter(new Connected());
    private final ByteArrayOutputStream expected = new ByteArrayOutputStream();

    private final class Connected implements Transmitter.Source {
        @Override
        public int submissionHead() {
            return 0;
        }

        @Override
        public boolean mayLeaveOutSuccess() {
            return true;
        }

        @Override
        public void onAnswered(Slot slot) {
            answered.add(slot);
        }

        @Override
        public void release(DataBuffer data) {
            data.release();
        }
    }

    /** Takes so many bytes of each write at most. */
    private static final class Socket implements GatheringByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final int most;

        Socket(int most) {
            this.most = most;
        }

        @Override
        public long write(ByteBuffer[] buffers) {
            int room = most;
            for (ByteBuffer each : buffers) {
                byte[] bytes = new byte[Math.min(room, each.remaining())];
                each.get(bytes);
                taken.writeBytes(bytes);
                room -= bytes.length;
            }
            return (long) most - room;
        }

        @Override
        public long write(ByteBuffer[] buffers, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer buffer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @SuppressWarnings("NullAway") // whose slot it is matters to others only
    private void add(int number, int bytes) {
        Slot slot = new Slot(null, number);
        slot.command.transfers(DataDirection.CONTROLLER_TO_HOST, bytes);
        DataBuffer data = Objects.requireNonNull(pool.take(bytes));
        byte[] content = new byte[bytes];
        new Random(number).nextBytes(content);
        data.bytes().put(0, content);
        slot.command.giveData(data);
        slot.stage = Slot.Stage.ANSWERED;
        transmitter.add(slot);
        expected.writeBytes(content);
    }

    /** Without the headers of the PDUs. */
    private static byte[] data(byte[] sent, int... lengths) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int at = 0;
        for (int length : lengths) {
            all.write(sent, at + HEADER, length);
            at += HEADER + length;
        }
        assertThat(at).as("headers and data").isEqualTo(sent.length);
        return all.toByteArray();
    }

    @Test
    void aTurnEndsAfterAWhileThoughTheSocketWouldTakeAll() throws IOException {
        for (int number = 0; number < 4; number++) {
            add(number, LARGE);
        }
        Socket socket = new Socket(Integer.MAX_VALUE);
        int turns = 0;
        while (!transmitter.isEmpty()) {
            long count = transmitter.flush(socket);
            assertThat(count).isBetween(1L, (long) TURN);
            turns++;
        }
        assertThat(turns).isGreaterThanOrEqualTo(4 * LARGE / TURN);
        assertThat(data(socket.taken.toByteArray(), LARGE, LARGE, LARGE, LARGE))
                .isEqualTo(expected.toByteArray());
        assertThat(answered).hasSize(4);
        assertThat(pool.used()).as("buffers that did not come back").isZero();
    }

    @Test
    void manySmallAnswersLeaveInOneTurn() throws IOException {
        for (int number = 0; number < 40; number++) {
            add(number, 4096);
        }
        Socket socket = new Socket(Integer.MAX_VALUE);
        assertThat(transmitter.flush(socket)).isEqualTo(40 * (4096 + HEADER));
        assertThat(transmitter.isEmpty()).isTrue();
    }

    @Property(tries = 200)
    void everyByteLeavesOnceWhateverTheSocketTakes(
            @ForAll @IntRange(min = 1_000, max = 600_000) int most,
            @ForAll @IntRange(min = 1, max = LARGE / 4) int quarter,
            @ForAll @IntRange(min = 1, max = LARGE / 4) int other)
            throws IOException {
        int[] lengths = {4 * quarter, 4 * other, 4096};
        for (int number = 0; number < lengths.length; number++) {
            add(number, lengths[number]);
        }
        Socket socket = new Socket(most);
        while (!transmitter.isEmpty()) {
            assertThat(transmitter.flush(socket)).isPositive();
        }
        assertThat(data(socket.taken.toByteArray(), lengths)).isEqualTo(expected.toByteArray());
        assertThat(pool.used()).isZero();
        expected.reset();
        answered.clear();
    }
}
