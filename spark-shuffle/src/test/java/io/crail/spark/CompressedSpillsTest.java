// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/**
 * What goes to the store and what tasks spill are compressed, or not, independently of each other:
 * as the test of SPARK-3426 in Spark's own suite, which looks at local files.
 */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CompressedSpillsTest {
    private static final int KEYS = 500;
    private static final int RECORDS = 4 * KEYS;
    private static final String TEXT = "what is repeated becomes short; ".repeat(32);
    private static final long BYTES = (long) RECORDS * TEXT.length();
    private static final FixedRecords FIXED = new FixedRecords(4, 4_000, 3);

    /** So little memory that whatever collects records spills. */
    private static TestApplication start(boolean compress, boolean compressSpills)
            throws IOException {
        return TestApplication.start(
                TestApplication.LOCAL,
                Map.of(
                        "spark.shuffle.compress",
                        Boolean.toString(compress),
                        "spark.shuffle.spill.compress",
                        Boolean.toString(compressSpills),
                        "spark.memory.fraction",
                        "0.0002",
                        "spark.shuffle.spill.initialMemoryThreshold",
                        "1000"));
    }

    /** Texts by the remainders of their numbers, in no order. */
    private static JavaPairRDD<Integer, String> texts(TestApplication application) {
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, RECORDS).boxed().toList());
        Collections.shuffle(numbers, new Random(1));
        return application
                .spark()
                .parallelize(numbers, 4)
                .mapToPair(number -> new Tuple2<>(number % KEYS, number + TEXT));
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void recordsThatAreAggregatedAndSortedArriveWhateverIsCompressed(
            boolean compress, boolean compressSpills) throws IOException {
        try (TestApplication application = start(compress, compressSpills)) {
            Totals grouping = application.during(() -> checkGroups(application));
            assertThat(grouping.bytesWritten < BYTES / 4).isEqualTo(compress);
            assertThat(grouping.bytesSpilled).isPositive();
            assertThat(grouping.bytesSpilled < BYTES / 4).isEqualTo(compressSpills);
            assertThat(application.during(() -> checkSums(application)).bytesSpilled).isPositive();
            assertThat(application.during(() -> checkOrder(application)).bytesSpilled).isPositive();
            assertThat(application.during(() -> checkFixed(application)).bytesSpilled).isPositive();
        }
    }

    /** Aggregated where they are read. */
    private static void checkGroups(TestApplication application) {
        List<Integer> right =
                texts(application)
                        .groupByKey(3)
                        .filter(group -> isGroup(group._1(), group._2()))
                        .keys()
                        .collect();
        assertThat(right).hasSize(KEYS).doesNotHaveDuplicates();
    }

    private static boolean isGroup(int key, Iterable<String> texts) {
        boolean[] found = new boolean[RECORDS];
        int count = 0;
        for (String text : texts) {
            int number = Integer.parseInt(text.substring(0, text.length() - TEXT.length()));
            if (number % KEYS != key || found[number] || !text.endsWith(TEXT)) {
                return false;
            }
            found[number] = true;
            count++;
        }
        return count == RECORDS / KEYS;
    }

    /** Aggregated where they are written, too. */
    private static void checkSums(TestApplication application) {
        Map<Integer, Long> expected = new HashMap<>();
        IntStream.range(0, 40_000).forEach(n -> expected.merge(n % 10_000, (long) n, Long::sum));
        Map<Integer, Long> sums =
                application
                        .spark()
                        .parallelize(IntStream.range(0, 40_000).boxed().toList(), 4)
                        .mapToPair(number -> new Tuple2<>(number % 10_000, (long) number))
                        .reduceByKey(Long::sum, 3)
                        .collectAsMap();
        assertThat(sums).isEqualTo(expected);
    }

    private static void checkOrder(TestApplication application) {
        List<Integer> keys = texts(application).sortByKey(true, 3).keys().collect();
        assertThat(keys)
                .hasSize(RECORDS)
                .isEqualTo(IntStream.range(0, RECORDS).map(n -> n / 4).boxed().toList());
    }

    /** Sorted by their bytes: runs are spilled to the store instead of a local disk. */
    private static void checkFixed(TestApplication application) {
        assertThat(FixedRecords.lines(FIXED.sorted(application.spark())))
                .isEqualTo(FIXED.expected());
    }
}
