// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel.Withdrawn;
import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrameSenderTest {
    /** Takes as many bytes as it is told, then none. */
    private static final class Slow implements GatheringByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int room;

        @Override
        public int write(ByteBuffer source) {
            int piece = Math.min(room, source.remaining());
            for (int i = 0; i < piece; i++) {
                taken.write(source.get());
            }
            room -= piece;
            return piece;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long written = 0;
            for (ByteBuffer source : sources) {
                written += write(source);
            }
            return written;
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    static class Request extends Exchange {
        Request(long id, byte[] control, @Nullable ByteBuffer payload) {
            super(id, 2, 0, control, payload);
        }

        @Override
        public long session() {
            return 4;
        }

        @Override
        public long acknowledged() {
            return 3;
        }

        @Override
        public int remainingMillis() {
            return 1000;
        }

        @Override
        public @Nullable ByteBuffer payloadTarget(int status, int length) {
            return null;
        }

        @Override
        public void answered(int status, long epoch, byte[] control) {}

        @Override
        public void failed(CrailException cause) {}
    }

    private static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + i * 31);
        }
        return bytes;
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static FrameSender sender(int staging) {
        return new FrameSender(ByteBuffer.allocateDirect(staging).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static void assertFrame(ByteBuffer in, long id, byte[] control, byte[] payload) {
        int at = in.position();
        assertThat(FrameHeader.requestId(in, at)).isEqualTo(id);
        assertThat(FrameHeader.length(in, at))
                .isEqualTo(FrameHeader.SIZE + control.length + payload.length);
        assertThat(FrameHeader.acknowledged(in, at)).isEqualTo(3);
        byte[] got = new byte[control.length + payload.length];
        in.position(at + FrameHeader.SIZE).get(got);
        ByteBuffer expected = ByteBuffer.allocate(got.length).put(control).put(payload);
        assertThat(got).isEqualTo(expected.array());
    }

    /** Controls larger than the staging buffer, payloads on and off the heap, any socket buffer. */
    @Property(tries = 300)
    void framesArriveWholeAndInOrderHoweverLittleTheSocketTakes(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 700) Integer> sizes,
            @ForAll @IntRange(min = 1, max = 400) int room)
            throws IOException {
        FrameSender sender = sender(128);
        Slow channel = new Slow();
        List<byte[]> controls = new ArrayList<>();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            controls.add(pattern(sizes.get(i) / 3, i));
            payloads.add(pattern(i % 3 == 0 ? 0 : sizes.get(i), -i));
            ByteBuffer payload =
                    i % 3 == 1 ? direct(payloads.get(i)) : ByteBuffer.wrap(payloads.get(i));
            sender.add(new Request(i, controls.get(i), payload));
        }
        boolean all = false;
        for (int turn = 0; turn < 20_000 && !all; turn++) {
            channel.room = room;
            all = sender.flush(channel);
        }
        assertThat(all).isTrue();
        ByteBuffer sent =
                ByteBuffer.wrap(channel.taken.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < sizes.size(); i++) {
            assertFrame(sent, i, controls.get(i), payloads.get(i));
        }
        assertThat(sent.hasRemaining()).isFalse();
    }

    @Test
    void aQueuedFrameCanBeTakenBack() throws IOException {
        FrameSender sender = sender(256);
        Request first = new Request(1, pattern(5, 1), null);
        Request second = new Request(2, pattern(5, 2), null);
        sender.add(first);
        sender.add(second);
        assertThat(sender.withdraw(first)).isEqualTo(Withdrawn.UNSENT);
        Slow channel = new Slow();
        channel.room = 1000;
        assertThat(sender.flush(channel)).isTrue();
        ByteBuffer sent =
                ByteBuffer.wrap(channel.taken.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertFrame(sent, 2, pattern(5, 2), new byte[0]);
        assertThat(sent.hasRemaining()).isFalse();
        assertThat(sender.withdraw(second)).isEqualTo(Withdrawn.SENT);
    }

    /** Whatever part of the frame is out: the rest follows as it was, though the buffer changes. */
    @Property(tries = 200)
    void aWithdrawnFrameIsFinishedFromACopy(@ForAll @IntRange(min = 1, max = 300) int sentBefore)
            throws IOException {
        FrameSender sender = sender(128);
        byte[] control = pattern(100, 1);
        byte[] payload = pattern(200, 2);
        ByteBuffer source = direct(payload);
        Request request = new Request(1, control, source);
        Request follower = new Request(2, pattern(3, 3), null);
        sender.add(request);
        sender.add(follower);
        Slow channel = new Slow();
        channel.room = sentBefore;
        assertThat(sender.flush(channel)).isFalse();
        assertThat(sender.withdraw(request)).isEqualTo(Withdrawn.SENT);
        for (int i = 0; i < source.capacity(); i++) {
            source.put(i, (byte) 0);
        }
        boolean all = false;
        for (int turn = 0; turn < 100 && !all; turn++) {
            channel.room = 64;
            all = sender.flush(channel);
        }
        ByteBuffer sent =
                ByteBuffer.wrap(channel.taken.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertFrame(sent, 1, control, payload);
        assertFrame(sent, 2, pattern(3, 3), new byte[0]);
    }
}
