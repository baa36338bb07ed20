// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.ClassTags;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryAllocator;
import org.apache.spark.unsafe.memory.MemoryBlock;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;

final class RowSerializerTest {
    private static final int FIELDS = 3;
    private static final int SMALLEST = 8 + 8 * FIELDS;

    private final Serializer ofSpark = new UnsafeRowSerializer(FIELDS, null);
    private final Serializer ours = RowSerializer.insteadOf(ofSpark);

    private static UnsafeRow row(byte[] bytes) {
        UnsafeRow row = new UnsafeRow(FIELDS);
        row.pointTo(bytes, bytes.length);
        return row;
    }

    /** Rows of up to so many bytes; what is in them does not matter here. */
    private static List<byte[]> rows(long seed, int count, int largest) {
        Random random = new Random(seed);
        List<byte[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[SMALLEST + random.nextInt(largest / 8 + 1) * 8];
            random.nextBytes(bytes);
            rows.add(bytes);
        }
        return rows;
    }

    private static byte[] written(Serializer serializer, List<byte[]> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SerializationStream stream = serializer.newInstance().serializeStream(bytes)) {
            for (byte[] each : rows) {
                stream.writeKey(7, ClassTags.any());
                stream.writeValue(row(each), ClassTags.any());
                stream.flush();
            }
        }
        return bytes.toByteArray();
    }

    private static Iterator<Tuple2<Object, Object>> read(Serializer serializer, byte[] bytes) {
        return read(serializer, bytes, Integer.MAX_VALUE);
    }

    /** Of a stream that gives at most so many bytes for each read. */
    private static Iterator<Tuple2<Object, Object>> read(
            Serializer serializer, byte[] bytes, int atOnce) {
        return serializer
                .newInstance()
                .deserializeStream(
                        new FilterInputStream(new ByteArrayInputStream(bytes)) {
                            @Override
                            public int read(byte[] target, int offset, int length)
                                    throws IOException {
                                return super.read(target, offset, Math.min(length, atOnce));
                            }
                        })
                .asKeyValueIterator();
    }

    private static List<byte[]> all(Iterator<Tuple2<Object, Object>> pairs) {
        List<byte[]> rows = new ArrayList<>();
        while (pairs.hasNext()) {
            rows.add(((UnsafeRow) pairs.next()._2()).getBytes().clone());
        }
        return rows;
    }

    private static void assertSame(List<byte[]> found, List<byte[]> wanted) {
        assertThat(found).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            byte[] bytes = wanted.get(i);
            // What is in the array behind the row is not of the row.
            assertThat(Arrays.copyOf(found.get(i), bytes.length)).isEqualTo(bytes);
        }
    }

    @Property(tries = 100)
    void theBytesAreThoseOfSpark(
            @ForAll long seed,
            @ForAll @IntRange(max = 300) int count,
            @ForAll @IntRange(max = 2000) int largest) {
        List<byte[]> rows = rows(seed, count, largest);
        assertThat(written(ours, rows)).isEqualTo(written(ofSpark, rows));
    }

    @Property(tries = 100)
    void whatSparkWroteIsRead(
            @ForAll long seed,
            @ForAll @IntRange(max = 300) int count,
            @ForAll @IntRange(max = 2000) int largest,
            @ForAll @IntRange(min = 1, max = 40_000) int atOnce) {
        List<byte[]> rows = rows(seed, count, largest);
        assertSame(all(read(ours, written(ofSpark, rows), atOnce)), rows);
    }

    @Test
    void whatIsWrittenIsReadBySpark() {
        List<byte[]> rows = rows(4, 1000, 600);
        assertSame(all(read(ofSpark, written(ours, rows))), rows);
    }

    @Test
    void aRowMayBeLargerThanWhatIsReadAtOnce() {
        List<byte[]> rows = rows(5, 5, 3 << 20);
        assertSame(all(read(ours, written(ours, rows))), rows);
    }

    @Test
    void rowsThatAreNotOnTheHeapAreWritten() {
        byte[] bytes = rows(6, 1, 20_000).get(0);
        MemoryBlock block = MemoryAllocator.UNSAFE.allocate(bytes.length);
        try {
            Platform.copyMemory(
                    bytes,
                    Platform.BYTE_ARRAY_OFFSET,
                    block.getBaseObject(),
                    block.getBaseOffset(),
                    bytes.length);
            UnsafeRow row = new UnsafeRow(FIELDS);
            row.pointTo(block.getBaseObject(), block.getBaseOffset(), bytes.length);
            ByteArrayOutputStream target = new ByteArrayOutputStream();
            try (SerializationStream stream = ours.newInstance().serializeStream(target)) {
                stream.writeValue(row, ClassTags.any());
            }
            assertThat(target.toByteArray()).isEqualTo(written(ofSpark, List.of(bytes)));
        } finally {
            MemoryAllocator.UNSAFE.free(block);
        }
    }

    @Test
    void allRowsAreOneObject() {
        Iterator<Tuple2<Object, Object>> pairs = read(ours, written(ours, rows(7, 2, 100)));
        assertThat(pairs.next()._2()).isSameAs(pairs.next()._2());
        assertThat(pairs.hasNext()).isFalse();
        assertThatThrownBy(pairs::next).isInstanceOf(NoSuchElementException.class);
    }

    @Property(tries = 100)
    void whatIsCutShortIsCorrupt(@ForAll long seed, @ForAll @IntRange(min = 1) int cut) {
        List<byte[]> rows = rows(seed, 3, 100);
        byte[] whole = written(ours, rows);
        int last = RowLength.BYTES + rows.get(2).length;
        byte[] some = Arrays.copyOf(whole, whole.length - 1 - cut % (last - 1));
        assertThatThrownBy(() -> all(read(ours, some)))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("rows of a shuffle end");
    }

    @Test
    void noRowHasSuchALength() {
        for (int length : new int[] {-8, 12, Integer.MIN_VALUE}) {
            byte[] bytes = ByteBuffer.allocate(100).putInt(length).array();
            assertThatThrownBy(() -> all(read(ours, bytes)))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("has " + length + " bytes");
        }
    }

    @Test
    void bytesOfRowsAreCounted() {
        SQLMetric metric = new SQLMetric("size", 0);
        List<byte[]> rows = rows(8, 10, 100);
        byte[] bytes =
                written(RowSerializer.insteadOf(new UnsafeRowSerializer(FIELDS, metric)), rows);
        assertThat(metric.value()).isEqualTo(bytes.length - 10L * RowLength.BYTES);
    }

    @Test
    void otherSerialisersStay() {
        Serializer other = new JavaSerializer();
        assertThat(RowSerializer.insteadOf(other)).isSameAs(other);
        assertThat(ours).isInstanceOf(RowSerializer.class);
    }
}
