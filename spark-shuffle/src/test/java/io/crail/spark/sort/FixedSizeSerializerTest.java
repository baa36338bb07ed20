// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.error.InvalidArgumentException;
import io.crail.spark.interop.ClassTags;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;

class FixedSizeSerializerTest {
    private static final int RECORDS = 1000;

    private final FixedSizeSerializer<byte[], byte[]> serializer =
            new FixedSizeSerializer<>(new ByteArrayFormat(7, 20));

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private byte[] written() {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        SerializationStream stream = serializer.newInstance().serializeStream(target);
        for (int i = 0; i < RECORDS; i++) {
            stream.writeKey(bytes(i, 7), ClassTags.any());
            stream.writeValue(bytes(-i, 20), ClassTags.any());
        }
        stream.close();
        return target.toByteArray();
    }

    private Iterator<Tuple2<Object, Object>> read(byte[] bytes) {
        DeserializationStream stream =
                serializer.newInstance().deserializeStream(new ByteArrayInputStream(bytes));
        return stream.asKeyValueIterator();
    }

    @Test
    void recordsAreTheirBytesAndNothingElse() {
        byte[] bytes = written();
        assertThat(bytes).hasSize(RECORDS * 27);
        Iterator<Tuple2<Object, Object>> records = read(bytes);
        for (int i = 0; i < RECORDS; i++) {
            Tuple2<Object, Object> record = records.next();
            assertThat((byte[]) record._1()).isEqualTo(bytes(i, 7));
            assertThat((byte[]) record._2()).isEqualTo(bytes(-i, 20));
        }
        assertThat(records.hasNext()).isFalse();
    }

    @Test
    void aRecordThatIsNotWholeIsNotTheEnd() {
        Iterator<Tuple2<Object, Object>> records = read(Arrays.copyOf(written(), 27 * 5 + 10));
        for (int i = 0; i < 5; i++) {
            records.next();
        }
        assertThatThrownBy(records::hasNext)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("10 of the 27 bytes");
    }

    @Test
    void recordsOfAnotherSizeAreRefused() {
        SerializationStream stream =
                serializer.newInstance().serializeStream(new ByteArrayOutputStream());
        assertThatThrownBy(() -> stream.writeKey(new byte[8], ClassTags.any()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("8 bytes")
                .hasMessageContaining("says 7");
        stream.writeKey(new byte[7], ClassTags.any());
        assertThatThrownBy(() -> stream.writeValue(new byte[19], ClassTags.any()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value");
    }

    @Test
    void otherObjectsAreRefused() {
        SerializerInstance instance = serializer.newInstance();
        assertThatThrownBy(() -> instance.serialize("text", ClassTags.any()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("spark.serializer");
    }

    @Test
    void keysNeedAByte() {
        assertThatThrownBy(() -> new ByteArrayFormat(0, 10))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ByteArrayFormat(1, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itTravelsWithTheShuffle() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(serializer);
            stream.writeObject(new UnsignedBytesOrdering());
        }
        try (ObjectInputStream stream =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((FixedSizeSerializer<?, ?>) stream.readObject()).format())
                    .isEqualTo(serializer.format());
            assertThat(stream.readObject()).isEqualTo(new UnsignedBytesOrdering());
        }
    }

    @Test
    void theOrderIsThatOfUnsignedBytes() {
        UnsignedBytesOrdering order = new UnsignedBytesOrdering();
        assertThat(order.compare(new byte[] {1}, new byte[] {(byte) 0x80})).isNegative();
        assertThat(order.compare(new byte[] {1}, new byte[] {1, 0})).isNegative();
        assertThat(order.compare(new byte[] {2}, new byte[] {1, 0})).isPositive();
        assertThat(order.compare(new byte[] {2, 3}, new byte[] {2, 3})).isZero();
        assertThat(serializer.format().sortsAsBytes(order)).isTrue();
        assertThat(serializer.format().sortsAsBytes(order.reverse())).isFalse();
    }

    @Test
    void aSorterIsFoundByItsName() throws InvalidArgumentException {
        assertThat(RecordSorters.named(Mine.class.getName()).orElseThrow())
                .isInstanceOf(Mine.class);
        assertThat(RecordSorters.named("spark")).isEmpty();
        assertThatThrownBy(() -> RecordSorters.named("no.such.Class"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("no.such.Class")
                .hasMessageContaining("RecordSorter");
        assertThatThrownBy(() -> RecordSorters.named(String.class.getName()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("java.lang.String");
    }

    /** Of an application. */
    public static final class Mine implements RecordSorter {
        @Override
        public RecordSort begin(SortTask task) {
            return new ByteOrderSort(task);
        }
    }
}
