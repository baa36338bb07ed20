// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** What a shuffle has to do, whatever the settings are. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ShuffleContract {
    private TestApplication application;

    /** Settings of the application besides those that switch crail on. */
    abstract Map<String, String> settings();

    @BeforeAll
    void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, settings());
    }

    @AfterAll
    void stop() {
        application.close();
    }

    final TestApplication application() {
        return application;
    }

    /** Numbers by their remainders. */
    JavaPairRDD<Integer, Integer> pairs(int records, int maps, int keys) {
        List<Integer> numbers = IntStream.range(0, records).boxed().toList();
        return application
                .spark()
                .parallelize(numbers, maps)
                .mapToPair(number -> new Tuple2<>(number % keys, number));
    }

    @Test
    void recordsAreGroupedByKey() {
        Map<Integer, Iterable<Integer>> groups = pairs(10_000, 8, 100).groupByKey(7).collectAsMap();
        assertThat(groups).hasSize(100);
        groups.forEach(
                (key, numbers) ->
                        assertThat(numbers)
                                .hasSize(100)
                                .allMatch(number -> number % 100 == key)
                                .doesNotHaveDuplicates());
    }

    @Test
    void recordsAreCombinedBeforeAndAfter() {
        Map<Integer, Integer> sums =
                pairs(10_000, 8, 10).reduceByKey(Integer::sum, 5).collectAsMap();
        Map<Integer, Integer> expected = new HashMap<>();
        IntStream.range(0, 10_000).forEach(n -> expected.merge(n % 10, n, Integer::sum));
        assertThat(sums).isEqualTo(expected);
    }

    @Test
    void recordsAreSorted() {
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, 20_000).boxed().toList());
        java.util.Collections.shuffle(shuffled, new Random(1));
        List<Integer> sorted =
                application
                        .spark()
                        .parallelize(shuffled, 6)
                        .mapToPair(number -> new Tuple2<>(number, "value of " + number))
                        .sortByKey(true, 5)
                        .keys()
                        .collect();
        assertThat(sorted).isEqualTo(IntStream.range(0, 20_000).boxed().toList());
    }

    @Test
    void twoShufflesAreJoined() {
        Map<Integer, Tuple2<Integer, Integer>> joined =
                pairs(1_000, 3, 1_000)
                        .join(pairs(500, 4, 500).mapValues(number -> -number), 6)
                        .collectAsMap();
        assertThat(joined).hasSize(500);
        joined.forEach((key, both) -> assertThat(both).isEqualTo(new Tuple2<>(key, -key)));
    }

    @Test
    void recordsLargerThanABlockArrive() {
        JavaRDD<byte[]> arrived =
                application
                        .spark()
                        .parallelize(List.of(1, 2, 3), 3)
                        .mapToPair(number -> new Tuple2<>(number, large(number)))
                        .groupByKey(2)
                        .flatMap(group -> group._2().iterator());
        List<byte[]> bytes = arrived.collect();
        assertThat(bytes).hasSize(3);
        assertThat(bytes).allMatch(each -> Arrays.equals(each, large(each[0])));
    }

    /** Three megabytes that hardly can be compressed, the number first. */
    private static byte[] large(int number) {
        byte[] bytes = new byte[3 << 20];
        new Random(number).nextBytes(bytes);
        bytes[0] = (byte) number;
        return bytes;
    }

    @Test
    void muchMoreThanABufferOfEachPartitionArrives() {
        JavaPairRDD<Integer, byte[]> records =
                pairs(60_000, 3, 60_000)
                        .mapToPair(pair -> new Tuple2<>(pair._1(), thousand(pair._1())));
        long wrong =
                records.partitionBy(new org.apache.spark.HashPartitioner(37))
                        .filter(pair -> !Arrays.equals(pair._2(), thousand(pair._1())))
                        .count();
        assertThat(wrong).isZero();
        assertThat(records.repartition(5).count()).isEqualTo(60_000);
    }

    /** A thousand bytes that hardly can be compressed. */
    private static byte[] thousand(int number) {
        byte[] bytes = new byte[1000];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    @Test
    void mapsAndPartitionsWithoutRecordsDoNoHarm() {
        List<Integer> sizes =
                pairs(3, 20, 3)
                        .partitionBy(new org.apache.spark.HashPartitioner(50))
                        .mapPartitions(
                                records -> {
                                    int count = 0;
                                    while (records.hasNext()) {
                                        records.next();
                                        count++;
                                    }
                                    return List.of(count).iterator();
                                })
                        .collect();
        assertThat(sizes).hasSize(50).containsOnly(0, 1);
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(3);
        assertThat(pairs(0, 4, 1).groupByKey(3).collect()).isEmpty();
    }

    @Test
    void oneMapAndOnePartitionAreEnough() {
        assertThat(pairs(1_000, 1, 10).groupByKey(1).count()).isEqualTo(10);
    }

    /** Partitions of a shuffle that has very many. */
    int manyPartitions() {
        return 10_000;
    }

    @Test
    void thousandsOfPartitionsGetTheirRecords() {
        int many = manyPartitions();
        Map<Integer, Integer> sums =
                pairs(4 * many, 2, many)
                        .partitionBy(new org.apache.spark.HashPartitioner(many))
                        .coalesce(50)
                        .reduceByKey(Integer::sum, 3)
                        .collectAsMap();
        assertThat(sums).hasSize(many);
        assertThat(sums.get(7)).isEqualTo(4 * 7 + 6 * many);
    }

    @Test
    void allBytesThatAreWrittenAreCountedWhenTheyAreRead() {
        Totals totals = application.during(() -> pairs(5_000, 4, 5_000).repartition(9).count());
        assertThat(totals.recordsWritten).isEqualTo(5_000);
        assertThat(totals.recordsRead).isEqualTo(5_000);
        assertThat(totals.bytesWritten).isPositive();
        assertThat(totals.bytesRead).isEqualTo(totals.bytesWritten);
    }
}
