// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordFrameTest {
    private static final HexFormat HEX = HexFormat.of();

    private record Vector(String name, byte[] record, byte[] frame) {}

    private static List<Vector> vectors() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        RecordFrameTest.class.getResourceAsStream("/golden/stream/frames.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" +", -1))
                    .map(
                            words ->
                                    new Vector(
                                            words[0],
                                            HEX.parseHex(words[1].equals("-") ? "" : words[1]),
                                            HEX.parseHex(words[2])))
                    .toList();
        }
    }

    @Test
    void framesAreTheGoldenOnesInEitherByteOrder() throws IOException {
        assertThat(vectors()).hasSizeGreaterThan(3);
        for (Vector vector : vectors()) {
            for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                ByteBuffer record = ByteBuffer.wrap(vector.record);
                ByteBuffer frame =
                        ByteBuffer.allocate(RecordFrame.HEADER + record.remaining()).order(order);
                RecordFrame.putHeader(frame, record.remaining(), RecordFrame.crc(record));
                frame.put(record.duplicate());
                assertThat(frame.array()).as(vector.name).isEqualTo(vector.frame);
                assertThat(RecordFrame.length(frame, 0)).isEqualTo(vector.record.length);
                assertThat(RecordFrame.crc(frame, 0)).isEqualTo(RecordFrame.crc(record));
                assertThat(frame.order()).isEqualTo(order);
            }
        }
    }

    @Test
    void framesAreSkippedOneByOneAndNeverBeyondTheEnd() throws IOException {
        ByteBuffer frames = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        vectors().forEach(vector -> frames.put(vector.frame));
        int end = frames.position();
        int at = 0;
        for (int i = 0; i < vectors().size(); i++) {
            assertThat(RecordFrame.skip(frames, 0, end, i)).isEqualTo(at);
            at += vectors().get(i).frame.length;
        }
        assertThat(at).isEqualTo(end);
        for (int cut = 0; cut < end; cut++) {
            assertThat(RecordFrame.skip(frames, 0, cut, vectors().size())).isEqualTo(-1);
        }
        frames.putInt(0, -1);
        assertThat(RecordFrame.skip(frames, 0, end, 1)).isEqualTo(-1);
        frames.putInt(0, Integer.MAX_VALUE);
        assertThat(RecordFrame.skip(frames, 0, end, 1)).isEqualTo(-1);
    }

    @Test
    void zerosAreNoFrameAndEveryBitCounts() {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        assertThat(RecordFrame.crc(nothing)).isNotZero();
        byte[] bytes = new byte[64];
        int sum = RecordFrame.crc(ByteBuffer.wrap(bytes));
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(RecordFrame.crc(ByteBuffer.wrap(bytes))).isNotEqualTo(sum);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
        assertThat(RecordFrame.crc(ByteBuffer.wrap(bytes, 0, 63))).isNotEqualTo(sum);
    }
}
