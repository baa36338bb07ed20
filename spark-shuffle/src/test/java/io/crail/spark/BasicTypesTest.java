// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.spark.basic.BasicSerializer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.python.PairwiseRDD;
import org.junit.jupiter.api.Test;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Records of types for which Spark takes Kryo by itself, as it does for applications in Scala and
 * Python, whose shuffles say what they consist of.
 */
class BasicTypesTest extends ShuffleContract {
    /** So that both ways of writing are taken. */
    @Override
    Map<String, String> settings() {
        return Map.of("spark.crail.shuffle.write.maxStreams", "8");
    }

    @SuppressWarnings("unchecked")
    static <T> ClassTag<T> tag(Class<?> type) {
        return (ClassTag<T>) ClassTag$.MODULE$.apply(type);
    }

    private static <K, V> JavaPairRDD<K, V> typed(
            JavaPairRDD<K, V> pairs, Class<?> key, Class<?> value) {
        return JavaPairRDD.fromRDD(pairs.rdd(), tag(key), tag(value));
    }

    @Override
    JavaPairRDD<Integer, Integer> pairs(int records, int maps, int keys) {
        return typed(super.pairs(records, maps, keys), int.class, int.class);
    }

    static ShuffleDependency<?, ?, ?> shuffle(JavaPairRDD<?, ?> shuffled) {
        return (ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().head();
    }

    private static void assertFits(JavaPairRDD<?, ?> shuffled) {
        assertThat(BasicSerializer.fits(shuffle(shuffled))).isTrue();
    }

    private static byte[] bytes(int number) {
        byte[] bytes = new byte[number % 3000];
        Arrays.fill(bytes, (byte) number);
        return bytes;
    }

    @Test
    void theShufflesOfThisTestAreMeant() {
        assertFits(pairs(10, 2, 3).partitionBy(new HashPartitioner(2)));
        assertFits(pairs(10, 2, 3).reduceByKey(Integer::sum));
    }

    @Test
    void stringsAndBytesArrive() {
        for (int partitions : new int[] {3, 40}) {
            JavaPairRDD<String, byte[]> moved =
                    typed(
                                    pairs(5_000, 4, 5_000)
                                            .mapToPair(
                                                    pair ->
                                                            new Tuple2<>(
                                                                    "\u0416 " + pair._1(),
                                                                    bytes(pair._1()))),
                                    String.class,
                                    byte[].class)
                            .partitionBy(new HashPartitioner(partitions));
            assertFits(moved);
            Map<String, byte[]> found = new HashMap<>(moved.collectAsMap());
            assertThat(found).hasSize(5_000);
            IntStream.range(0, 5_000)
                    .forEach(
                            number ->
                                    assertThat(found.get("\u0416 " + number))
                                            .isEqualTo(bytes(number)));
        }
    }

    @Test
    void arraysOfNumbersAndNullArrive() {
        JavaPairRDD<Long, double[]> moved =
                typed(
                                pairs(900, 3, 900)
                                        .mapToPair(
                                                pair ->
                                                        new Tuple2<>(
                                                                (long) pair._1(),
                                                                pair._1() % 10 == 0
                                                                        ? null
                                                                        : new double[] {
                                                                            pair._1(), 0.5
                                                                        })),
                                long.class,
                                double[].class)
                        .partitionBy(new HashPartitioner(5));
        assertFits(moved);
        List<Tuple2<Long, double[]>> found = moved.collect();
        assertThat(found).hasSize(900);
        assertThat(found)
                .allSatisfy(
                        each ->
                                assertThat(each._2())
                                        .isEqualTo(
                                                each._1() % 10 == 0
                                                        ? null
                                                        : new double[] {each._1(), 0.5}));
    }

    @Test
    void combinedValuesOfOtherTypesAreLeftToKryo() {
        // Sums are pairs, though keys and values are numbers.
        JavaPairRDD<Integer, Tuple2<Integer, Integer>> sums =
                pairs(1_000, 4, 10)
                        .combineByKey(
                                value -> new Tuple2<>(value, 1),
                                (sum, value) -> new Tuple2<>(sum._1() + value, sum._2() + 1),
                                (a, b) -> new Tuple2<>(a._1() + b._1(), a._2() + b._2()),
                                3);
        assertThat(BasicSerializer.fits(shuffle(sums))).isFalse();
        assertThat(sums.collectAsMap().get(3)).isEqualTo(new Tuple2<>(49_800, 100));
    }

    @Test
    @SuppressWarnings("unchecked")
    void objectsOfOtherTypesThanWasSaidArriveAllTheSame() {
        JavaPairRDD<Object, Object> mixed =
                (JavaPairRDD<Object, Object>)
                        (JavaPairRDD<?, ?>)
                                super.pairs(600, 3, 600)
                                        .mapToPair(
                                                pair ->
                                                        new Tuple2<Object, Object>(
                                                                pair._1() % 2 == 0
                                                                        ? pair._1()
                                                                        : BigInteger.valueOf(
                                                                                pair._1()),
                                                                new Tuple2<>("a", pair._1())));
        for (int partitions : new int[] {3, 40}) {
            JavaPairRDD<Object, Object> moved =
                    typed(mixed, int.class, int.class).partitionBy(new HashPartitioner(partitions));
            assertFits(moved);
            Map<Object, Object> found = moved.collectAsMap();
            assertThat(found).hasSize(600);
            assertThat(found.get(4)).isEqualTo(new Tuple2<>("a", 4));
            assertThat(found.get(BigInteger.valueOf(5))).isEqualTo(new Tuple2<>("a", 5));
        }
    }

    @Test
    void shufflesOfPythonSayWhatTheyConsistOf() {
        List<byte[]> keysAndValues =
                IntStream.range(0, 200)
                        .mapToObj(i -> ByteBuffer.allocate(Long.BYTES).putLong(i / 2).array())
                        .toList();
        JavaPairRDD<Object, byte[]> moved =
                new PairwiseRDD(application().spark().parallelize(keysAndValues, 2).rdd())
                        .asJavaPairRDD()
                        .partitionBy(new HashPartitioner(3));
        assertFits(moved);
        assertThat(moved.collect())
                .hasSize(100)
                .allMatch(each -> ByteBuffer.wrap(each._2()).getLong() == (long) each._1());
    }

    @Test
    void shufflesThatDoNotSayWhatTheyConsistOfAreLeftAlone() {
        JavaPairRDD<Integer, Integer> untyped =
                super.pairs(10, 2, 3).partitionBy(new HashPartitioner(2));
        assertThat(BasicSerializer.fits(shuffle(untyped))).isFalse();
    }
}
