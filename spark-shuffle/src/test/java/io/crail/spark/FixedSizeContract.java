// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.error.CrailException;
import io.crail.spark.interop.ClassTags;
import io.crail.spark.sort.FixedSizeShuffles;
import io.crail.spark.sort.UnsignedBytesOrdering;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.rdd.ShuffledRDD;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** What becomes of records of a fixed size, whatever the settings are. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FixedSizeContract {
    private static final FixedRecords RECORDS = new FixedRecords(5, 8_000, 6);

    /** Tasks that stand in the middle of what is sorted; they are threads of this JVM. */
    private static volatile CountDownLatch standing = new CountDownLatch(0);

    private TestApplication application;

    /** Settings of the application besides those that switch crail on. */
    abstract Map<String, String> settings();

    /** Whether there is so little memory that sorts spill. */
    boolean spills() {
        return false;
    }

    /** Bytes that tasks in the middle of their records have at least: two, or one that spills. */
    long memoryOfTasks() {
        return spills() ? 1 : 1_000_000;
    }

    @BeforeAll
    void start() throws IOException {
        Map<String, String> all = new HashMap<>(settings());
        all.put("spark.unsafe.exceptionOnMemoryLeak", "true");
        application = TestApplication.start(TestApplication.LOCAL, all);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** Names of what sorts have spilled, in all shuffles. */
    private List<String> spilled() throws CrailException {
        List<String> spilled = new ArrayList<>();
        String directory = application.directory();
        for (String shuffle : application.list(directory)) {
            for (String file : application.list(directory + "/" + shuffle)) {
                if (file.startsWith("sort-")) {
                    spilled.add(file);
                }
            }
        }
        return spilled;
    }

    private void assertNothingIsLeft() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> {
                            assertThat(spilled()).isEmpty();
                            assertThat(SparkEnv.get().memoryManager().executionMemoryUsed())
                                    .isZero();
                        });
    }

    @Test
    void recordsAreSorted() {
        Totals totals =
                application.during(
                        () ->
                                assertThat(FixedRecords.lines(RECORDS.sorted(application.spark())))
                                        .isEqualTo(RECORDS.expected()));
        assertThat(totals.recordsWritten).isEqualTo(40_000);
        assertThat(totals.recordsRead).isEqualTo(40_000);
        assertThat(totals.bytesRead).isEqualTo(totals.bytesWritten).isPositive();
        assertThat(totals.bytesSpilled > 0).isEqualTo(spills());
        assertNothingIsLeft();
    }

    @Test
    void anotherOrderIsLeftToSpark() {
        List<byte[]> keys =
                FixedSizeShuffles.repartitionAndSortWithinPartitions(
                                RECORDS.unsorted(application.spark()),
                                new FixedRecords.Ranges(1),
                                FixedRecords.serializer(),
                                new UnsignedBytesOrdering().reverse())
                        .keys()
                        .collect();
        assertThat(keys).hasSize(40_000);
        for (int i = 1; i < keys.size(); i++) {
            assertThat(java.util.Arrays.compareUnsigned(keys.get(i - 1), keys.get(i)))
                    .isGreaterThanOrEqualTo(0);
        }
        assertNothingIsLeft();
    }

    @Test
    void recordsThatAreNotSortedArrive() {
        ShuffledRDD<byte[], byte[], byte[]> shuffled =
                new ShuffledRDD<byte[], byte[], byte[]>(
                        RECORDS.unsorted(application.spark()).rdd(),
                        new FixedRecords.Ranges(6),
                        ClassTags.any(),
                        ClassTags.any(),
                        ClassTags.any());
        shuffled.setSerializer(FixedRecords.serializer());
        List<Integer> counts =
                new JavaPairRDD<byte[], byte[]>(shuffled, ClassTags.any(), ClassTags.any())
                        .mapPartitions(
                                records -> {
                                    int count = 0;
                                    for (; records.hasNext(); records.next()) {
                                        count++;
                                    }
                                    return List.of(count).iterator();
                                })
                        .collect();
        assertThat(counts).isEqualTo(RECORDS.expected().stream().map(List::size).toList());
    }

    @Test
    void aTaskThatWantsOnlySomeRecordsLeavesNothing() {
        JavaPairRDD<byte[], byte[]> sorted = RECORDS.sorted(application.spark());
        List<Tuple2<byte[], byte[]>> first = sorted.take(3);
        assertThat(first).hasSize(3);
        assertNothingIsLeft();
    }

    @Test
    void aTaskThatIsRunAgainGetsTheSame() {
        Map<Integer, Integer> counts =
                RECORDS.sorted(application.spark())
                        .mapPartitionsToPair(
                                records -> {
                                    int count = 0;
                                    for (; records.hasNext(); records.next()) {
                                        count++;
                                        if (count == 1000
                                                && TaskContext.get().attemptNumber() == 0) {
                                            throw new IllegalStateException("on purpose");
                                        }
                                    }
                                    return List.of(
                                                    new Tuple2<>(
                                                            TaskContext.getPartitionId(), count))
                                            .iterator();
                                })
                        .collectAsMap();
        List<List<String>> expected = RECORDS.expected();
        assertThat(counts).hasSize(expected.size());
        counts.forEach(
                (partition, count) -> assertThat(count).isEqualTo(expected.get(partition).size()));
        assertNothingIsLeft();
    }

    @Test
    void aTaskThatIsCancelledLeavesNothing() throws InterruptedException {
        // One that stands may have all memory that a starved executor has: Spark lets others wait.
        CountDownLatch begun = new CountDownLatch(spills() ? 1 : 2);
        standing = begun;
        application.spark().setJobGroup("cancelled", "is cancelled by its test", true);
        JavaFutureAction<Void> job =
                RECORDS.sorted(application.spark())
                        .foreachPartitionAsync(
                                records -> {
                                    for (int i = 0; records.hasNext(); i++) {
                                        records.next();
                                        if (i == 500) {
                                            standing.countDown();
                                            new CountDownLatch(1).await();
                                        }
                                    }
                                });
        try {
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(SparkEnv.get().memoryManager().executionMemoryUsed())
                    .isGreaterThanOrEqualTo(memoryOfTasks());
        } finally {
            application.spark().cancelJobGroup("cancelled");
            application.spark().clearJobGroup();
        }
        org.assertj.core.api.Assertions.assertThatThrownBy(job::get)
                .isInstanceOfAny(
                        ExecutionException.class, java.util.concurrent.CancellationException.class);
        assertNothingIsLeft();
    }
}
