// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.Exchange;
import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrameReceiverTest {
    private static final int READ = 41;

    /** Gives what has arrived, at most so many bytes at a time, and keeps what it was asked for. */
    private static final class Arrived implements ReadableByteChannel {
        private final ByteBuffer bytes;
        private final int most;
        private final List<Integer> asked = new ArrayList<>();

        Arrived(ByteBuffer bytes, int most) {
            this.bytes = bytes;
            this.most = most;
        }

        @Override
        public int read(ByteBuffer into) {
            asked.add(into.remaining());
            int piece = Math.min(most, Math.min(into.remaining(), bytes.remaining()));
            into.put(bytes.slice(bytes.position(), piece));
            bytes.position(bytes.position() + piece);
            return piece;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static final class Reading extends Exchange {
        private final ByteBuffer target;

        Reading(long id, int length) {
            super(id, READ, 0, new byte[0], null);
            target = ByteBuffer.allocateDirect(length);
        }

        @Override
        public long session() {
            return 4;
        }

        @Override
        public long acknowledged() {
            return 0;
        }

        @Override
        public int remainingMillis() {
            return 1000;
        }

        @Override
        public @Nullable ByteBuffer payloadTarget(int status, int length) {
            return target.duplicate();
        }

        @Override
        public void answered(int status, long epoch, byte[] control) {}

        @Override
        public void failed(CrailException cause) {}
    }

    private static byte pattern(int id, int at) {
        return (byte) (id * 7 + at * 31);
    }

    /** The answers to reads of these lengths, one behind the other. */
    private static ByteBuffer answers(List<Reading> readings) {
        int size = 0;
        for (Reading reading : readings) {
            size += FrameHeader.SIZE + reading.target.capacity();
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        for (Reading reading : readings) {
            int length = reading.target.capacity();
            long id = reading.requestId();
            FrameHeader.putResponse(bytes, bytes.position(), READ, id, 0, 0, 0, length, id);
            bytes.position(bytes.position() + FrameHeader.SIZE);
            for (int i = 0; i < length; i++) {
                bytes.put(pattern((int) id, i));
            }
        }
        return bytes.flip();
    }

    private static List<Reading> readings(List<Integer> lengths) {
        List<Reading> all = new ArrayList<>();
        for (int i = 0; i < lengths.size(); i++) {
            all.add(new Reading(i, lengths.get(i)));
        }
        return all;
    }

    /** Receives all of it, and checks that each target has its bytes. */
    private static void receive(List<Reading> readings, Arrived channel) throws IOException {
        FrameReceiver receiver =
                new FrameReceiver(
                        ByteBuffer.allocateDirect(64 << 10).order(ByteOrder.LITTLE_ENDIAN),
                        id -> readings.get((int) id),
                        exchange -> true);
        List<FrameReceiver.Answer> complete = new ArrayList<>();
        while (channel.bytes.hasRemaining()) {
            receiver.receive(channel, complete);
        }
        assertThat(complete).hasSameSizeAs(readings);
        for (Reading reading : readings) {
            for (int i = 0; i < reading.target.capacity(); i++) {
                assertThat(reading.target.get(i)).isEqualTo(pattern((int) reading.requestId(), i));
            }
        }
    }

    @Test
    void smallAnswersThatHaveArrivedComeByOneRead() throws IOException {
        List<Reading> readings = readings(List.of(4096, 4096, 4096, 4096, 4096, 4096, 4096, 4096));
        Arrived channel = new Arrived(answers(readings), Integer.MAX_VALUE);
        receive(readings, channel);
        assertThat(channel.asked).containsExactly(64 << 10);
    }

    @Test
    void largePayloadsGoStraightToTheirTargets() throws IOException {
        List<Reading> readings = readings(List.of(1 << 20, 1 << 20, 1 << 20));
        Arrived channel = new Arrived(answers(readings), Integer.MAX_VALUE);
        receive(readings, channel);
        // The first one comes unannounced; behind it, no more than 2 KiB go through the buffer.
        assertThat(channel.asked.get(0)).isEqualTo(64 << 10);
        assertThat(channel.asked.stream().skip(1))
                .allMatch(room -> room <= 2 << 10 || room > (1 << 20) - (64 << 10) - 1);
    }

    @Property(tries = 50)
    void nothingDependsOnHowTheBytesArrive(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 0, max = 100_000) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 50_000) int most)
            throws IOException {
        List<Reading> readings = readings(lengths);
        receive(readings, new Arrived(answers(readings), Math.max(most, 100)));
    }
}
