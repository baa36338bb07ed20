// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.cluster.EmbeddedCluster;
import io.crail.storage.dram.DramTierProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** What Spark's user interface says of shuffles in crail is so. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class MetricsTest {
    private static final int MAPS = 4;
    private static final int PARTITIONS = 9;
    private static final Map<String, String> OVER_THE_NETWORK =
            Map.of("spark.crail.client.shared-memory", "false");

    /** That a server is stopped; long, compared with all that else takes time. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @TempDir Path directory;

    private static JavaPairRDD<Integer, byte[]> records(TestApplication application) {
        return application
                .spark()
                .parallelize(IntStream.range(0, 3_600).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number, value(number)))
                .partitionBy(new org.apache.spark.HashPartitioner(PARTITIONS));
    }

    /** A thousand bytes that hardly can be compressed. */
    private static byte[] value(int number) {
        byte[] bytes = new byte[1_000];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static Totals totals(EmbeddedCluster cluster, Map<String, String> settings)
            throws IOException {
        try (TestApplication application =
                TestApplication.start(cluster, TestApplication.LOCAL, settings)) {
            Totals totals =
                    application.during(
                            () -> assertThat(records(application).count()).isEqualTo(3_600));
            assertThat(totals.bytesRead).isEqualTo(totals.bytesWritten);
            assertThat(totals.localBlocks + totals.remoteBlocks).isEqualTo(MAPS * PARTITIONS);
            return totals;
        }
    }

    /** Which Spark's own sorter of maps leaves to whoever uses it. */
    @Test
    void whatMapTasksSpillIsToldAndWhatMemoryTheyTook() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spark.crail.shuffle.write.maxStreams", "1",
                        "spark.shuffle.spill.numElementsForceSpillThreshold", "100");
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, settings)) {
            JavaPairRDD<Integer, Integer> counted =
                    application
                            .spark()
                            .parallelize(IntStream.range(0, 4_000).boxed().toList(), MAPS)
                            .mapToPair(number -> new Tuple2<>(number, 1))
                            .reduceByKey((one, other) -> one + other, PARTITIONS);
            Totals totals = application.during(() -> assertThat(counted.count()).isEqualTo(4_000));
            assertThat(totals.mapBytesSpilled).isPositive();
            assertThat(totals.mapPeakMemory).isPositive();
        }
    }

    @Test
    void bytesFromMemoryOfTheHostAreLocal() throws IOException {
        Totals totals = totals(EmbeddedCluster.builder().servers(2).start(), Map.of());
        assertThat(totals.localBytesRead).isEqualTo(totals.bytesWritten);
        assertThat(totals.remoteBlocks).isZero();
    }

    @Test
    void bytesOverTheNetworkAreRemote() throws IOException {
        Totals totals = totals(EmbeddedCluster.builder().servers(2).start(), OVER_THE_NETWORK);
        assertThat(totals.localBytesRead).isZero();
        assertThat(totals.localBlocks).isZero();
    }

    @Test
    void bytesOfNearAndFarServersAddUp() throws IOException {
        AtomicInteger number = new AtomicInteger();
        EmbeddedCluster cluster =
                EmbeddedCluster.builder()
                        .servers(2)
                        .storage(
                                server ->
                                        server.tierOption(
                                                DramTierProvider.SHARED_MEMORY,
                                                number.getAndIncrement() == 0 ? "on" : "off"))
                        .start();
        Totals totals = totals(cluster, Map.of());
        assertThat(totals.localBytesRead).isBetween(1L, totals.bytesRead - 1);
        assertThat(totals.localBlocks).isPositive();
        assertThat(totals.remoteBlocks).isPositive();
    }

    @Test
    void theTimeThatATaskWaitsForItsInputIsFetchWaitTime() throws IOException {
        withOneServer(
                Map.of(),
                (application, server) -> {
                    JavaPairRDD<Integer, byte[]> records = records(application);
                    assertThat(records.count()).isEqualTo(3_600);
                    TestApplication.closeOutputs(0);
                    Totals totals = application.during(() -> countWhileStopped(records, server));
                    assertThat(totals.mapTasks).isZero();
                    assertThat(totals.fetchWaitMillis)
                            .isBetween(PAUSE.toMillis() / 2, totals.taskMillis);
                });
    }

    /** At the end of a file, or, with hardly any memory, for each buffer. */
    @ParameterizedTest
    @ValueSource(strings = {"0.6", "0.005"})
    void theTimeThatATaskWaitsForTheStoreIsWriteTime(String memory) throws IOException {
        withOneServer(
                Map.of("spark.memory.fraction", memory),
                (application, server) -> {
                    // So that the path to the server is there.
                    assertThat(records(application).count()).isEqualTo(3_600);
                    Totals totals =
                            application.during(
                                    () -> countWhileStopped(records(application), server));
                    assertThat(totals.mapTasks).isEqualTo(MAPS);
                    assertThat(TimeUnit.NANOSECONDS.toMillis(totals.writeNanos))
                            .isBetween(PAUSE.toMillis() / 2, totals.taskMillis);
                });
    }

    /** Stops the only storage server for a time in which a job waits for it. */
    private static void countWhileStopped(
            JavaPairRDD<Integer, byte[]> records, StorageProcess server) {
        server.pause();
        JavaFutureAction<Long> count = records.countAsync();
        // The time itself is the condition.
        await().during(PAUSE).until(() -> !count.isDone());
        server.resume();
        assertThat(count).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(3_600L);
    }

    /** Does something to an application. */
    @FunctionalInterface
    private interface Trial {
        void run(TestApplication application, StorageProcess server) throws IOException;
    }

    private void withOneServer(Map<String, String> settings, Trial trial) throws IOException {
        Map<String, String> all = new HashMap<>(OVER_THE_NETWORK);
        all.putAll(settings);
        EmbeddedCluster cluster = EmbeddedCluster.builder().servers(0).start();
        try (StorageProcess server = StorageProcess.start(directory, cluster.namenode(), 64 << 20);
                TestApplication application =
                        TestApplication.start(cluster, TestApplication.LOCAL, all)) {
            trial.run(application, server);
        }
    }
}
