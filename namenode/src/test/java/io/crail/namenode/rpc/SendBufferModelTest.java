// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.frame.FrameHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Any sequence of replies, batches, releases and short writes lets all bytes out in order, none
 * before its ticket.
 */
class SendBufferModelTest {
    /** A socket that takes as many bytes as it likes. */
    private static final class ShortChannel implements WritableByteChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int next;

        @Override
        public int write(ByteBuffer source) {
            int length = Math.min(next, source.remaining());
            byte[] bytes = new byte[length];
            source.get(bytes);
            taken.writeBytes(bytes);
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private final BufferPool pool = new BufferPool();
    private final SendBuffer buffer = new SendBuffer(pool, 8 << 20);
    private final ShortChannel channel = new ShortChannel();
    private final ByteArrayOutputStream replied = new ByteArrayOutputStream();

    /** Length of the stream at the end of each held batch, and its ticket. */
    private final List<long[]> batches = new ArrayList<>();

    private int sealed;
    private long lastTicket;
    private long released;

    @Property(tries = 400)
    void everythingLeavesInOrderAndNothingTooEarly(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> reply(random);
                case 2 -> seal(random);
                case 3 -> release(random);
                case 4 -> write(random.nextInt(40_000));
                default -> buffer.trim();
            }
        }
        seal(random);
        buffer.release(lastTicket);
        released = lastTicket;
        write(Integer.MAX_VALUE);
        assertThat(channel.taken.toByteArray()).isEqualTo(replied.toByteArray());
        assertThat(buffer.unsent()).isZero();
        assertThat(buffer.hasHeld()).isFalse();
    }

    private void reply(Random random) {
        long id = random.nextLong();
        byte[] control = new byte[random.nextInt(100)];
        byte[] payload = new byte[random.nextInt(20) == 0 ? random.nextInt(60_000) : 0];
        random.nextBytes(control);
        random.nextBytes(payload);
        if (random.nextInt(5) == 0) {
            buffer.begin(1, 1, 1).raw(new byte[random.nextInt(30_000)]);
            buffer.abandon();
        }
        buffer.begin(7, id, 9).raw(control);
        buffer.beginPayload();
        buffer.replyWriter().raw(payload);
        buffer.end(3, 5);
        ByteBuffer expected =
                ByteBuffer.allocate(FrameHeader.SIZE + control.length + payload.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(expected, 0, 7, id, 5, 3, control.length, payload.length, 9);
        expected.position(FrameHeader.SIZE).put(control).put(payload);
        replied.writeBytes(expected.array());
    }

    private void seal(Random random) {
        long ticket = RequestHandler.SEND_NOW;
        if (random.nextBoolean()) {
            lastTicket += random.nextInt(2);
            ticket = lastTicket;
        }
        if (replied.size() > sealed) { // a batch without replies holds nothing back
            sealed = replied.size();
            batches.add(new long[] {sealed, ticket});
        }
        buffer.seal(ticket);
        buffer.release(released);
    }

    private void release(Random random) {
        if (lastTicket > released) {
            released += 1 + random.nextLong(lastTicket - released);
            buffer.release(released);
        }
    }

    private void write(int most) throws IOException {
        channel.next = most;
        buffer.write(channel);
        assertThat((long) channel.taken.size()).isLessThanOrEqualTo(mayLeave());
        if (most == Integer.MAX_VALUE) {
            assertThat((long) channel.taken.size()).isEqualTo(mayLeave());
        }
        assertThat(buffer.unsent()).isEqualTo(replied.size() - channel.taken.size());
    }

    /** Bytes before the first batch that still waits for its ticket. */
    private long mayLeave() {
        long end = 0;
        for (long[] batch : batches) {
            if (batch[1] > released) {
                break;
            }
            end = batch[0];
        }
        return end;
    }
}
