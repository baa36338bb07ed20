// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class MapOutputIndexTest {
    private static final String FILE = "/spark/a/0/7";

    /** What a visitor is told. */
    record Told(int partition, boolean begins, long offset, long length) {}

    /** A piece that a writer notes; its place is behind the one before. */
    record Written(int partition, boolean begins, int length) {}

    private static MapOutputIndex decode(ByteBuffer footer, long dataBytes)
            throws CorruptDataException {
        return MapOutputIndex.decode(dataBytes + footer.remaining(), footer, FILE);
    }

    private static List<Told> pieces(MapOutputIndex index, int from, int to) {
        List<Told> told = new ArrayList<>();
        index.pieces(
                from,
                to,
                (partition, begins, offset, length) ->
                        told.add(new Told(partition, begins, offset, length)));
        return told;
    }

    private static ByteBuffer example() {
        MapOutputIndexBuilder builder = new MapOutputIndexBuilder(4, StreamFormat.SPARK);
        builder.add(2, true, 0, 300);
        builder.add(0, true, 300, 5);
        builder.add(2, false, 305, 100);
        builder.add(2, true, 405, 7);
        return builder.footer(412);
    }

    @Test
    void theBytesAreThoseOfTheSpecification() {
        assertThat(HexFormat.of().formatHex(example().array()))
                .isEqualTo(
                        // partition 0: one piece, head (300 zigzag) << 1 | 1, 5 bytes
                        "01"
                                + "b109"
                                + "05"
                                // partition 1
                                + "00"
                                // partition 2: three pieces
                                + "03"
                                + "c309ac02"
                                + "1464"
                                + "0107"
                                // partition 3
                                + "00"
                                // index of 15 bytes, 4 partitions, 412 bytes of data
                                + "0f000000"
                                + "04000000"
                                + "9c01000000000000"
                                // version 1, checksum, "crailmap"
                                + "01000000"
                                + CHECKSUM
                                + "637261696c6d6170");
    }

    private static final String CHECKSUM = "764c53ac";

    @Test
    void anExampleIsDecoded() throws CorruptDataException {
        MapOutputIndex index = decode(example(), 412);
        assertThat(index.partitions()).isEqualTo(4);
        assertThat(index.partitionBytes()).containsExactly(5, 0, 407, 0);
        assertThat(pieces(index, 1, 4))
                .containsExactly(
                        new Told(2, true, 0, 300),
                        new Told(2, false, 305, 100),
                        new Told(2, true, 405, 7));
    }

    @Test
    void neighboursOfOneStreamAreOnePiece() throws CorruptDataException {
        MapOutputIndexBuilder builder = new MapOutputIndexBuilder(1, StreamFormat.SPARK);
        builder.add(0, true, 0, 10);
        builder.add(0, false, 10, 20);
        assertThat(pieces(decode(builder.footer(30), 30), 0, 1))
                .containsExactly(new Told(0, true, 0, 30));
    }

    @Test
    void anOutputWithoutPartitionsIsPossible() throws CorruptDataException {
        assertThat(
                        decode(new MapOutputIndexBuilder(0, StreamFormat.SPARK).footer(0), 0)
                                .partitionBytes())
                .isEmpty();
    }

    @Provide
    Arbitrary<List<Written>> written() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 299),
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 1 << 20))
                .as(Written::new)
                .list()
                .ofMaxSize(400);
    }

    @Property(tries = 200)
    void whatWasWrittenIsFoundInAnyRange(
            @ForAll("written") List<Written> written, @ForAll("seeds") RandomSeed seed)
            throws CorruptDataException {
        MapOutputIndexBuilder builder = new MapOutputIndexBuilder(300, StreamFormat.SPARK);
        long[] lengths = new long[300];
        long position = 0;
        for (Written each : written) {
            builder.add(each.partition(), each.begins(), position, each.length());
            lengths[each.partition()] += each.length();
            position += each.length();
        }
        MapOutputIndex index = decode(builder.footer(position), position);
        assertThat(index.partitionBytes()).isEqualTo(lengths).isEqualTo(builder.partitionBytes());
        List<Told> all = pieces(index, 0, 300);
        int from = seed.random().nextInt(300);
        int to = seed.random().nextInt(from, 301);
        assertThat(pieces(index, from, to))
                .isEqualTo(
                        all.stream()
                                .filter(told -> told.partition() >= from && told.partition() < to)
                                .toList());
        assertThat(all.stream().mapToLong(Told::length).sum()).isEqualTo(position);
        assertThat(all).isSortedAccordingTo((a, b) -> a.partition() - b.partition());
    }

    @Property(tries = 300)
    void anyDamageIsNoticed(
            @ForAll("written") List<Written> written, @ForAll("seeds") RandomSeed seed) {
        MapOutputIndexBuilder builder = new MapOutputIndexBuilder(300, StreamFormat.SPARK);
        long position = 0;
        for (Written each : written) {
            builder.add(each.partition(), each.begins(), position, each.length());
            position += each.length();
        }
        ByteBuffer footer = builder.footer(position);
        int at = seed.random().nextInt(footer.capacity());
        footer.put(at, (byte) (footer.get(at) ^ (1 << seed.random().nextInt(8))));
        long length = position;
        assertThatThrownBy(() -> decode(footer, length))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(FILE);
    }

    /** With a right checksum, so that what follows it is reached. */
    @Property(tries = 2000)
    void bytesOfNobodyAreRefusedOrMakeSense(
            @ForAll byte[] index, @ForAll("seeds") RandomSeed seed) {
        ByteBuffer footer =
                ByteBuffer.allocate(index.length + MapOutputFooter.TRAILER_SIZE)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN);
        long dataBytes = seed.random().nextLong(1 << 20);
        footer.put(0, index);
        footer.putInt(index.length, index.length);
        footer.putInt(index.length + MapOutputFooter.PARTITIONS, seed.random().nextInt(-2, 64));
        footer.putLong(index.length + MapOutputFooter.DATA_BYTES, dataBytes);
        footer.putShort(index.length + MapOutputFooter.VERSION, MapOutputFooter.CURRENT_VERSION);
        footer.putLong(index.length + MapOutputFooter.MAGIC, MapOutputFooter.MAGIC_VALUE);
        footer.putInt(
                index.length + MapOutputFooter.CHECKSUM,
                MapOutputIndexBuilder.checksum(footer, index.length));
        try {
            MapOutputIndex decoded = decode(footer, dataBytes);
            assertThat(pieces(decoded, 0, decoded.partitions()))
                    .allMatch(
                            told ->
                                    told.offset() >= 0
                                            && told.length() > 0
                                            && told.offset() + told.length() <= dataBytes);
        } catch (CorruptDataException e) {
            assertThat(e).hasMessageContaining(FILE);
        }
    }

    @Test
    void aFileThatIsTooShortIsRefused() {
        assertThatThrownBy(() -> MapOutputIndex.decode(31, ByteBuffer.allocate(31), FILE))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("too few");
    }

    @Test
    void anotherVersionIsNamed() {
        ByteBuffer footer = example();
        footer.put(footer.capacity() - 16, (byte) 2);
        assertThatThrownBy(() -> decode(footer, 412))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void theWayInWhichStreamsAreMadeIsKept() throws CorruptDataException {
        for (StreamFormat each : StreamFormat.values()) {
            ByteBuffer footer = new MapOutputIndexBuilder(3, each).footer(0);
            assertThat(decode(footer, 0).format()).isEqualTo(each);
        }
    }

    @Test
    void anUnknownWayIsNamed() {
        ByteBuffer footer =
                new MapOutputIndexBuilder(0, StreamFormat.SPARK)
                        .footer(0)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN);
        footer.putShort(MapOutputFooter.FORMAT, (short) 2);
        footer.putInt(MapOutputFooter.CHECKSUM, MapOutputIndexBuilder.checksum(footer, 0));
        assertThatThrownBy(() -> decode(footer, 0))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("way 2");
    }

    @Test
    void impossiblePiecesAreRefused() {
        MapOutputIndexBuilder builder = new MapOutputIndexBuilder(1, StreamFormat.SPARK);
        assertThatThrownBy(() -> builder.add(0, true, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.add(1, true, 0, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new MapOutputIndexBuilder(-1, StreamFormat.SPARK))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A source of random numbers that jqwik can repeat. */
    record RandomSeed(long seed) {
        RandomGenerator random() {
            return new java.util.SplittableRandom(seed);
        }
    }

    @Provide
    Arbitrary<RandomSeed> seeds() {
        return Arbitraries.longs().map(RandomSeed::new);
    }
}
