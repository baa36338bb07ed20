// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.ClassTags;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

final class BasicSerializerTest {
    private final BasicSerializer serializer =
            new BasicSerializer(new KryoSerializer(new SparkConf(false)));

    /** So that it is seen when somebody asks Kryo. */
    private final BasicSerializer alone = new BasicSerializer(new Refusing());

    /** Objects of all types, and of some that are none of these. */
    @Provide
    Arbitrary<List<@Nullable Object>> objects() {
        return Arbitraries.oneOf(basicObjects(), Arbitraries.bigIntegers(), lists())
                .list()
                .ofMaxSize(30);
    }

    @Provide
    Arbitrary<List<@Nullable Object>> basic() {
        return basicObjects().list().ofMaxSize(30);
    }

    private static Arbitrary<@Nullable Object> basicObjects() {
        Arbitrary<@Nullable Object> scalars =
                Arbitraries.oneOf(
                        Arbitraries.integers(),
                        Arbitraries.longs(),
                        Arbitraries.doubles(),
                        Arbitraries.floats(),
                        Arbitraries.shorts(),
                        Arbitraries.bytes(),
                        Arbitraries.chars().all(),
                        Arbitraries.of(true, false),
                        Arbitraries.of(Double.NaN, -0.0, Float.NEGATIVE_INFINITY),
                        Arbitraries.of(Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE));
        Arbitrary<@Nullable Object> strings =
                Arbitraries.oneOf(
                        Arbitraries.strings().all().ofMaxLength(2000),
                        Arbitraries.strings().withCharRange(' ', '\u00ff').ofMaxLength(3000),
                        // Halves of pairs, which no character set has.
                        Arbitraries.of("", "\ud800", "a\udc00b", "\ud83d\ude00"));
        return Arbitraries.oneOf(scalars, strings, arrays()).injectNull(0.05);
    }

    private static Arbitrary<@Nullable Object> arrays() {
        return Arbitraries.integers()
                .between(0, 20_000)
                .flatMap(
                        length ->
                                Arbitraries.oneOf(
                                        Arbitraries.bytes().array(byte[].class).ofMaxSize(3000),
                                        Arbitraries.just(length).map(byte[]::new),
                                        Arbitraries.longs().array(long[].class).ofMaxSize(3000),
                                        Arbitraries.integers().array(int[].class).ofMaxSize(20),
                                        Arbitraries.shorts().array(short[].class).ofMaxSize(20),
                                        Arbitraries.chars().array(char[].class).ofMaxSize(20),
                                        Arbitraries.floats().array(float[].class).ofMaxSize(20),
                                        Arbitraries.doubles().array(double[].class).ofMaxSize(20),
                                        Arbitraries.of(true, false)
                                                .array(boolean[].class)
                                                .ofMaxSize(20)));
    }

    private static Arbitrary<@Nullable Object> lists() {
        return Arbitraries.strings()
                .ofMaxLength(600)
                .list()
                .ofMaxSize(20)
                .map(strings -> new ArrayList<>(strings));
    }

    private static byte[] written(BasicSerializer serializer, List<?> objects) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SerializationStream stream = serializer.newInstance().serializeStream(bytes)) {
            for (Object each : objects) {
                stream.writeObject(each, ClassTags.any());
            }
        }
        return bytes.toByteArray();
    }

    private static DeserializationStream stream(BasicSerializer serializer, byte[] bytes) {
        return serializer.newInstance().deserializeStream(new ByteArrayInputStream(bytes));
    }

    private static List<Object> read(BasicSerializer serializer, byte[] bytes, int atOnce) {
        InputStream source =
                new FilterInputStream(new ByteArrayInputStream(bytes)) {
                    @Override
                    public int read(byte[] target, int offset, int length) throws IOException {
                        return super.read(target, offset, Math.min(length, atOnce));
                    }
                };
        Iterator<Tuple2<Object, Object>> pairs =
                serializer.newInstance().deserializeStream(source).asKeyValueIterator();
        List<Object> objects = new ArrayList<>();
        while (pairs.hasNext()) {
            Tuple2<Object, Object> next = pairs.next();
            objects.add(next._1());
            objects.add(next._2());
        }
        assertThatThrownBy(pairs::next).isInstanceOf(NoSuchElementException.class);
        return objects;
    }

    private static void assertSame(List<?> found, List<?> wanted) {
        assertThat(found).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
            Object each = wanted.get(i);
            assertThat(found.get(i)).isEqualTo(each);
            if (each != null) {
                assertThat(found.get(i)).hasSameClassAs(each);
            }
        }
    }

    private static List<Object> pairs(List<Object> objects) {
        return objects.subList(0, objects.size() / 2 * 2);
    }

    @Property(tries = 300)
    void whatIsWrittenComesBack(
            @ForAll("objects") List<@Nullable Object> objects,
            @ForAll @IntRange(min = 1, max = 5000) int atOnce) {
        List<Object> some = pairs(objects);
        assertSame(read(serializer, written(serializer, some), atOnce), some);
    }

    @Property(tries = 200)
    void basicTypesNeedNobodyElse(@ForAll("basic") List<@Nullable Object> objects) {
        List<Object> some = pairs(objects);
        assertSame(read(alone, written(alone, some), Integer.MAX_VALUE), some);
    }

    @Property(tries = 100)
    void recordsMayChangePlaces(@ForAll("objects") List<@Nullable Object> objects) {
        List<byte[]> records = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SerializationStream stream = serializer.newInstance().serializeStream(bytes)) {
            for (Object each : objects) {
                stream.writeKey(each, ClassTags.any());
                stream.writeValue(records.size(), ClassTags.any());
                stream.flush();
                records.add(bytes.toByteArray());
                bytes.reset();
            }
        }
        Collections.reverse(records);
        records.forEach(bytes::writeBytes);
        List<Object> wanted = new ArrayList<>();
        for (int i = objects.size() - 1; i >= 0; i--) {
            wanted.add(objects.get(i));
            wanted.add(i);
        }
        assertSame(read(serializer, bytes.toByteArray(), 700), wanted);
    }

    @Test
    void largeObjectsComeBack() {
        byte[] bytes = new byte[(9 << 20) + 7];
        new Random(1).nextBytes(bytes);
        long[] longs = new Random(2).longs(3 << 20).toArray();
        String text = "\u0416".repeat(5 << 20);
        List<Object> objects = List.of(bytes, longs, text, "x".repeat(6 << 20));
        assertSame(read(alone, written(alone, objects), 1 << 20), objects);
    }

    @Test
    void bytesAreThoseThatAreDocumented() {
        List<Object> objects = new ArrayList<>();
        Collections.addAll(objects, null, 1, -1, 300L, 1.0, 1.0f, (short) -2, (byte) 3, 'A', false);
        Collections.addAll(objects, true, "\u00e4", "\u0416", new byte[] {7, 8}, new char[] {'B'});
        Collections.addAll(objects, new boolean[] {true}, new short[] {1}, new int[] {2});
        Collections.addAll(objects, new long[] {3}, new float[] {1}, new double[] {});
        assertThat(HexFormat.of().formatHex(written(alone, objects)))
                .isEqualTo(
                        "00"
                                + "0102"
                                + "0101"
                                + "02d804"
                                + "03000000000000f03f"
                                + "040000803f"
                                + "05feff"
                                + "0603"
                                + "074100"
                                + "08"
                                + "09"
                                + "0a01e4"
                                + "0b011604"
                                + "0c020708"
                                + "0e014200"
                                + "0d0101"
                                + "0f010100"
                                + "100102000000"
                                + "11010300000000000000"
                                + "12010000803f"
                                + "1300");
    }

    @Property(tries = 200)
    void whatIsCutShortIsCorrupt(
            @ForAll("basic") List<@Nullable Object> objects, @ForAll @IntRange(min = 0) int cut) {
        List<Object> all = new ArrayList<>(objects);
        all.add("the last record");
        all.add(new byte[600]);
        byte[] whole = written(alone, all);
        int last = written(alone, all.subList(all.size() - 1, all.size())).length;
        byte[] some = Arrays.copyOf(whole, whole.length - 1 - cut % (last - 1));
        DeserializationStream stream = stream(alone, some);
        for (int i = 0; i < all.size() - 1; i++) {
            Object read = stream.readObject(ClassTags.any());
            assertThat(read).isEqualTo(all.get(i));
        }
        assertThatThrownBy(() -> stream.<Object>readObject(ClassTags.any()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("end within one");
    }

    @Test
    void anObjectBehindTheLastIsNone() {
        DeserializationStream stream = stream(alone, new byte[0]);
        assertThatThrownBy(() -> stream.<Object>readObject(ClassTags.any()))
                .isInstanceOf(EOFException.class);
    }

    @Test
    void whatIsNoObjectIsCorrupt() {
        for (String wrong :
                List.of(
                        "15", // no such type
                        "ff",
                        "01ffffffffffffffffffff01", // a number without end
                        "0cffffffffffffffffff01", // a negative length
                        "0c8080808008", // 2 GiB
                        "0cffffffff07", // fewer bytes than they should be
                        "0bffffffff07",
                        "0affffffff07",
                        "11ffffffff07",
                        "13ffffffff07",
                        "03000000")) {
            DeserializationStream stream = stream(alone, HexFormat.of().parseHex(wrong));
            assertThatThrownBy(() -> stream.<Object>readObject(ClassTags.any()))
                    .as(wrong)
                    .isInstanceOf(CorruptDataException.class);
        }
    }

    @Property(tries = 500)
    void nothingButCorruptIsSaidOfGarbage(@ForAll byte[] garbage) {
        DeserializationStream stream = stream(alone, garbage);
        try {
            while (true) {
                Object unused = stream.readObject(ClassTags.any());
            }
        } catch (Exception e) {
            assertThat(e)
                    .isInstanceOfAny(
                            CorruptDataException.class,
                            EOFException.class,
                            UnsupportedOperationException.class);
        }
    }

    @Test
    void singleObjectsGoByTheOtherSerialiser() {
        SerializerInstance instance = serializer.newInstance();
        BigInteger object = BigInteger.TEN.pow(50);
        ByteBuffer bytes = instance.serialize(object, ClassTags.any());
        assertThat(instance.<Object>deserialize(bytes, ClassTags.any())).isEqualTo(object);
    }

    /** Says what it was asked. */
    private static final class Refusing extends org.apache.spark.serializer.Serializer {
        @Override
        public SerializerInstance newInstance() {
            return new SerializerInstance() {
                @Override
                public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
                    throw new UnsupportedOperationException("not basic: " + object);
                }

                @Override
                public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
                    throw new UnsupportedOperationException("not basic");
                }

                @Override
                public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
                    throw new UnsupportedOperationException("not basic");
                }

                @Override
                public SerializationStream serializeStream(java.io.OutputStream target) {
                    throw new UnsupportedOperationException("not basic");
                }

                @Override
                public DeserializationStream deserializeStream(InputStream source) {
                    throw new UnsupportedOperationException("not basic");
                }
            };
        }
    }
}
