// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
    /** Buffers of one size, one behind the other. */
    private static final class Buffers implements FrameSink {
        private final int size;
        private final ByteArrayOutputStream full = new ByteArrayOutputStream();
        private ByteBuffer buffer;

        Buffers(int size) {
            this.size = size;
            this.buffer = ByteBuffer.allocateDirect(size);
        }

        @Override
        public ByteBuffer room() {
            if (!buffer.hasRemaining()) {
                flip();
                buffer = ByteBuffer.allocateDirect(size);
            }
            return buffer;
        }

        private void flip() {
            byte[] bytes = new byte[buffer.flip().remaining()];
            buffer.get(bytes);
            full.writeBytes(bytes);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = 0; i < length; i++) {
                room().put(bytes[offset + i]);
            }
        }

        byte[] bytes() {
            flip();
            buffer = ByteBuffer.allocateDirect(size);
            byte[] bytes = full.toByteArray();
            full.reset();
            return bytes;
        }
    }

    private static final class Corrupt extends RuntimeException {
        private static final long serialVersionUID = 1;

        Corrupt(String message) {
            super(message);
        }
    }

    /** Bytes in read-only buffers of one size. */
    private static final class Stored implements FrameSource {
        private final List<ByteBuffer> buffers = new ArrayList<>();
        private int present;
        private long left;

        Stored(byte[] bytes, int size) {
            for (int from = 0; from < bytes.length; from += size) {
                int some = Math.min(size, bytes.length - from);
                buffers.add(
                        ByteBuffer.allocateDirect(some)
                                .put(bytes, from, some)
                                .flip()
                                .asReadOnlyBuffer());
            }
            left = bytes.length;
        }

        private ByteBuffer buffer() {
            if (!buffers.get(present).hasRemaining()) {
                present++;
            }
            return buffers.get(present);
        }

        @Override
        public long left() {
            return left;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left == 0) {
                return -1;
            }
            ByteBuffer buffer = buffer();
            int some = Math.min(buffer.remaining(), length);
            buffer.get(target, offset, some);
            left -= some;
            return some;
        }

        @Override
        public @Nullable ByteBuffer peek(int length) {
            ByteBuffer buffer = buffer();
            return buffer.remaining() < length ? null : buffer;
        }

        @Override
        public void skip(int length) {
            ByteBuffer buffer = buffer();
            buffer.position(buffer.position() + length);
            left -= length;
        }

        @Override
        public RuntimeException corrupt(String what) {
            throw new Corrupt(what);
        }
    }

    private static byte[] text(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) "what is repeated is short. ".charAt(i % 27);
        }
        return bytes;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] written(int frameSize, int buffer, byte[]... pieces) throws IOException {
        Buffers buffers = new Buffers(buffer);
        try (FrameOutput output = new FrameOutput(new FrameCodec(frameSize, () -> true), buffers)) {
            for (byte[] each : pieces) {
                output.write(each);
                output.flush();
            }
        }
        return buffers.bytes();
    }

    private static byte[] read(byte[] stored, int buffer) throws IOException {
        return new FrameInput(new Stored(stored, buffer)).readAllBytes();
    }

    @Property(tries = 300)
    void whatIsWrittenIsReadWhateverTheBuffers(
            @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 9_000) Integer> lengths,
            @ForAll @IntRange(min = 1, max = 40_000) int frameSize,
            @ForAll @IntRange(min = 1, max = 20_000) int writeBuffer,
            @ForAll @IntRange(min = 1, max = 20_000) int readBuffer)
            throws IOException {
        byte[][] pieces = new byte[lengths.size()][];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = i % 3 == 0 ? random(lengths.get(i)) : text(lengths.get(i));
            all.writeBytes(pieces[i]);
        }
        assertThat(read(written(frameSize, writeBuffer, pieces), readBuffer))
                .isEqualTo(all.toByteArray());
    }

    @Test
    void theBytesAreThoseOfTheSpecification() throws IOException {
        // Raw, 3 bytes; then nothing: an empty stream has no frames.
        assertThat(HexFormat.of().formatHex(written(1024, 100, new byte[] {1, 2, 3})))
                .isEqualTo("80000003010203");
        assertThat(written(1024, 100)).isEmpty();
        // Compressed, 11 bytes, 1,024 before: one literal, a match of 1,018, five literals.
        assertThat(HexFormat.of().formatHex(written(1024, 2000, new byte[1024])))
                .startsWith("0000000")
                .contains("00000400");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1023, 1024, 1025, 70_000, 3 << 20})
    void textBecomesShortAndRandomBytesHardlyLonger(int length) throws IOException {
        if (length > 1000) {
            assertThat(written(32 << 10, 1 << 20, text(length)).length).isLessThan(length / 4);
        }
        assertThat(written(32 << 10, 1 << 20, random(length)).length)
                .isBetween(length + 4, length + 4 + length / 1000);
    }

    @Test
    void textBehindRandomBytesBecomesShortAgain() throws IOException {
        byte[] random = random(1 << 20);
        byte[] text = text(1 << 20);
        assertThat(written(32 << 10, 1 << 20, random, text).length).isLessThan((1 << 20) * 5 / 3);
    }

    @Test
    void whatOneStreamHasTriedCountsForTheNext() throws IOException {
        FrameCodec codec = new FrameCodec(1024, () -> true);
        Buffers buffers = new Buffers(1 << 20);
        for (int stream = 0; stream < 40; stream++) {
            try (FrameOutput output = new FrameOutput(codec, buffers)) {
                output.write(random(1024));
            }
        }
        buffers.bytes();
        byte[] text = text(20 << 10);
        try (FrameOutput output = new FrameOutput(codec, buffers)) {
            output.write(text);
        }
        byte[] stored = buffers.bytes();
        // Frames 1, 2, 4, 8, 16, 32 and 48 of all were tried: seven of these were not.
        assertThat(stored.length).isBetween(7 * 1028, 7 * 1028 + 13 * 200);
        assertThat(read(stored, 1 << 20)).isEqualTo(text);
    }

    @Test
    void shortEndsOfStreamsTellNothing() throws IOException {
        FrameCodec codec = new FrameCodec(1024, () -> true);
        Buffers buffers = new Buffers(1 << 20);
        for (int stream = 0; stream < 40; stream++) {
            try (FrameOutput output = new FrameOutput(codec, buffers)) {
                output.write(random(100));
            }
        }
        buffers.bytes();
        try (FrameOutput output = new FrameOutput(codec, buffers)) {
            output.write(text(20 << 10));
        }
        assertThat(buffers.bytes().length).isLessThan(20 * 200);
    }

    @Test
    void onlyFramesThatAreMadeWhileItPaysAreCompressed() throws IOException {
        AtomicBoolean pays = new AtomicBoolean();
        Buffers buffers = new Buffers(700);
        try (FrameOutput output = new FrameOutput(new FrameCodec(1024, pays::get), buffers)) {
            output.write(text(10 << 10));
            pays.set(true);
            output.write(text(20 << 10));
            pays.set(false);
            output.write(text(10 << 10));
        }
        byte[] stored = buffers.bytes();
        assertThat(stored.length).isBetween(20 << 10, 25 << 10);
        byte[] all = new byte[40 << 10];
        System.arraycopy(text(10 << 10), 0, all, 0, 10 << 10);
        System.arraycopy(text(20 << 10), 0, all, 10 << 10, 20 << 10);
        System.arraycopy(text(10 << 10), 0, all, 30 << 10, 10 << 10);
        assertThat(read(stored, 333)).isEqualTo(all);
    }

    @Test
    void anOutputGoesOnWithAnotherStream() throws IOException {
        Buffers buffers = new Buffers(64);
        FrameOutput output = new FrameOutput(new FrameCodec(1024, () -> true), buffers);
        for (byte[] each : List.of(text(5000), random(1500), new byte[0])) {
            output.write(each);
            output.close();
            assertThat(read(buffers.bytes(), 77)).isEqualTo(each);
        }
    }

    @Test
    void singleBytesAreWrittenAndRead() throws IOException {
        Buffers buffers = new Buffers(100);
        byte[] bytes = text(3000);
        try (FrameOutput output = new FrameOutput(new FrameCodec(1024, () -> true), buffers)) {
            for (byte each : bytes) {
                output.write(each);
            }
        }
        FrameInput input = new FrameInput(new Stored(buffers.bytes(), 50));
        for (byte each : bytes) {
            assertThat(input.read()).isEqualTo(each & 0xFF);
        }
        assertThat(input.read()).isEqualTo(-1);
    }

    @Test
    void aStreamThatIsCutAnywhereButBetweenFramesIsFound() throws IOException {
        byte[] bytes = Arrays.copyOf(random(1300), 6000);
        // The first frame, of random bytes, fits into a buffer, so that it is one.
        byte[] stored = written(1024, 1500, bytes);
        List<Integer> ends = new ArrayList<>();
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            try {
                byte[] found = read(cut, 300);
                // Only whole frames, and the index tells how many bytes there are.
                assertThat(found).isEqualTo(Arrays.copyOf(bytes, found.length));
                ends.add(found.length);
            } catch (Corrupt e) {
                assertThat(e).hasMessageMatching(".*(frame|stream).*");
            }
        }
        assertThat(ends)
                .containsExactlyElementsOf(
                        IntStream.range(0, 6).map(n -> n * 1024).boxed().toList());
    }

    private static byte[] writtenRaw(Buffers buffers, byte[]... pieces) throws IOException {
        try (FrameOutput output = new FrameOutput(new FrameCodec(32 << 10, () -> false), buffers)) {
            for (byte[] each : pieces) {
                output.write(each);
            }
        }
        return buffers.bytes();
    }

    @Test
    void rawPiecesAreOneFrameAsFarAsTheBufferGoes() throws IOException {
        byte[] bytes = random(100);
        byte[][] pieces = new byte[1000][];
        Arrays.fill(pieces, bytes);
        assertThat(writtenRaw(new Buffers(1 << 20), pieces))
                .hasSize(4 + 100_000)
                .startsWith(0x80, 0x01, 0x86, 0xA0);
        // Four buffers, the last one with the rest.
        assertThat(writtenRaw(new Buffers(30_000), pieces)).hasSize(4 * 4 + 100_000);
    }

    @Test
    void largeRawPiecesGoOnAtOnceAndSmallOnesWhenThereAreSome() throws IOException {
        Buffers buffers = new Buffers(1 << 20);
        try (FrameOutput output = new FrameOutput(new FrameCodec(32 << 10, () -> false), buffers)) {
            output.write(random(10));
            assertThat(buffers.room().position()).isZero();
            output.write(random(4096));
            assertThat(buffers.room().position()).isEqualTo(4 + 10 + 4096);
            output.write(random(2047));
            assertThat(buffers.room().position()).isEqualTo(4 + 10 + 4096);
            output.write(random(2));
            assertThat(buffers.room().position()).isEqualTo(4 + 10 + 4096 + 2048);
            assertThat(buffers.room().getInt(0)).isEqualTo(1 << 31 | 10 + 4096 + 2048);
        }
        assertThat(buffers.room().position()).isEqualTo(4 + 10 + 4096 + 2049);
    }

    @Test
    void rawFramesAreNotLongerThanMayBe() throws IOException {
        byte[] bytes = random((2 << 20) + 5);
        byte[] stored = writtenRaw(new Buffers(4 << 20), bytes);
        assertThat(stored).hasSize(3 * 4 + bytes.length).startsWith(0x80, 0x10, 0x00, 0x00);
        assertThat(read(stored, 1000)).isEqualTo(bytes);
    }

    /** A buffer that comes back, as from a pool, and is taken away whenever somebody wants. */
    private static final class Borrowed implements FrameSink {
        private final ByteBuffer only = ByteBuffer.allocateDirect(8192);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        @Override
        public ByteBuffer room() {
            if (!only.hasRemaining()) {
                takeAway();
            }
            return only;
        }

        void takeAway() {
            byte[] bytes = new byte[only.flip().remaining()];
            only.get(bytes);
            taken.writeBytes(bytes);
            only.clear();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            for (int i = 0; i < length; i++) {
                room().put(bytes[offset + i]);
            }
        }
    }

    @Test
    void aFrameDoesNotGoOnInAnotherStream() throws IOException {
        Buffers buffers = new Buffers(1 << 20);
        FrameOutput output = new FrameOutput(new FrameCodec(1024, () -> false), buffers);
        output.write(random(3000));
        output.close();
        int end = buffers.room().position();
        output.write(random(5000));
        output.close();
        assertThat(buffers.room().getInt(0)).isEqualTo(1 << 31 | 3000);
        assertThat(buffers.room().getInt(end)).isEqualTo(1 << 31 | 5000);
    }

    @Test
    void aFrameDoesNotGoOnBehindACompressedOneThatEndsWhereItDid() throws IOException {
        byte[] half = Arrays.copyOf(random(2500), 5000);
        int ends = written(half.length, 1 << 20, half).length;
        AtomicBoolean pays = new AtomicBoolean();
        Borrowed sink = new Borrowed();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (FrameOutput output = new FrameOutput(new FrameCodec(half.length, pays::get), sink)) {
            byte[] before = random(ends - Integer.BYTES);
            output.write(before);
            assertThat(sink.room().position()).isEqualTo(ends);
            sink.takeAway();
            pays.set(true);
            output.write(half);
            assertThat(sink.room().position()).isEqualTo(ends);
            pays.set(false);
            output.write(before);
            all.writeBytes(before);
            all.writeBytes(half);
            all.writeBytes(before);
        }
        sink.takeAway();
        assertThat(read(sink.taken.toByteArray(), 5000)).isEqualTo(all.toByteArray());
    }

    @Property(tries = 500)
    void framesAreWholeWhereverABufferIsTakenAway(
            @ForAll @Size(max = 40) List<@IntRange(min = -1, max = 5_000) Integer> steps,
            @ForAll boolean compressedAtFirst)
            throws IOException {
        AtomicBoolean pays = new AtomicBoolean(compressedAtFirst);
        Borrowed sink = new Borrowed();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (FrameOutput output = new FrameOutput(new FrameCodec(3000, pays::get), sink)) {
            for (int step : steps) {
                if (step < 0) {
                    sink.takeAway();
                } else if (step % 10 == 0) {
                    pays.set(!pays.get());
                } else {
                    byte[] piece = step % 3 == 0 ? random(step) : text(step);
                    output.write(piece);
                    all.writeBytes(piece);
                }
            }
        }
        sink.takeAway();
        assertThat(read(sink.taken.toByteArray(), 777)).isEqualTo(all.toByteArray());
    }

    @Test
    void wrongHeadsAreFoundAndNoMemoryIsTakenForThem() {
        for (String head :
                List.of(
                        "00000000" + "00000010", // nothing stored
                        "80000000", // nothing raw
                        "00000004" + "00000000" + "01020304", // of nothing
                        "00000004" + "7fffffff" + "01020304", // of too much
                        "00000004" + "ffffffff" + "01020304",
                        "00000004" + "00000003" + "01020304", // more than before
                        "ffffffff" + "01", // more than there is
                        "00000004" + "00000010" + "ffffffff")) { // no block of LZ4
            assertThatThrownBy(() -> read(HexFormat.of().parseHex(head), 100))
                    .as(head)
                    .isInstanceOf(Corrupt.class);
        }
    }

    @Property(tries = 500)
    void anyBytesAreReadOrRefused(@ForAll byte[] bytes, @ForAll boolean small) throws IOException {
        try {
            assertThat(read(bytes, small ? 3 : 1000)).isNotNull();
        } catch (Corrupt e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }
}
