// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Memory that is full, with and without flash behind it. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class FullStorageTest {
    private static final int MIB = 1 << 20;
    private static final int MEMORY = 16 * MIB;
    private static final long FLASH = 8L * MEMORY;
    private static final int VALUE = 10_000;
    private static final String OBSTACLE = "/obstacle";

    @TempDir Path disk;

    /** A server of memory. */
    private static EmbeddedCluster memory() throws IOException {
        return EmbeddedCluster.builder().capacity(MEMORY).segmentSize(MEMORY).start();
    }

    /** A server of memory, and behind it one of the flash tier over a file of some bytes. */
    private EmbeddedCluster memoryAndFlash(long bytes) throws IOException {
        EmbeddedCluster cluster = memory();
        boolean complete = false;
        try {
            cluster.addServer(
                    server ->
                            server.tier("nvmf")
                                    .storageClass(1)
                                    .capacity(bytes)
                                    .tierOption("file", disk.resolve("flash.img").toString())
                                    .tierOption("allocation", "sparse"));
            complete = true;
            return cluster;
        } finally {
            if (!complete) {
                cluster.close();
            }
        }
    }

    private static JavaPairRDD<Integer, byte[]> records(TestApplication application, int number) {
        return application
                .spark()
                .parallelize(IntStream.range(0, number).boxed().toList(), 8)
                .mapToPair(each -> new Tuple2<>(each, value(each)));
    }

    /** Ten thousand bytes that hardly can be compressed. */
    private static byte[] value(int number) {
        byte[] bytes = new byte[VALUE];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    /** Moves records, and counts those that arrive as they were. */
    private static long shuffled(TestApplication application, int number) {
        return records(application, number)
                .groupByKey(5)
                .filter(group -> Arrays.equals(group._2().iterator().next(), value(group._1())))
                .count();
    }

    private static Statistics.Capacity capacity(TestApplication application, int storageClass)
            throws IOException {
        return application.client().statistics().classes().stream()
                .filter(each -> each.storageClass() == storageClass)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatDoesNotFitIntoMemoryGoesToFlashAndMetricsSaySo() throws IOException {
        try (Warnings warnings = Warnings.of("io.crail.spark.store.StorageClassWatch");
                TestApplication application =
                        TestApplication.start(
                                memoryAndFlash(FLASH), TestApplication.LOCAL, Map.of())) {
            Totals totals =
                    application.during(
                            () -> assertThat(shuffled(application, 4_000)).isEqualTo(4_000));
            assertThat(totals.failedTasks).isZero();
            assertThat(totals.bytesWritten).isGreaterThan(4_000L * VALUE);
            assertThat(capacity(application, 0).committed()).isGreaterThan(MEMORY / 2);
            assertThat(capacity(application, 1).committed())
                    .isGreaterThan(totals.bytesWritten - MEMORY);
            long inMemory = PluginMetrics.of("storageClass.0.bytesWritten");
            long inFlash = PluginMetrics.of("storageClass.1.bytesWritten");
            assertThat(inFlash).isGreaterThanOrEqualTo(totals.bytesWritten - MEMORY);
            assertThat(PluginMetrics.of("bytesWritten")).isEqualTo(inMemory + inFlash);
            assertThat(inMemory + inFlash).isGreaterThanOrEqualTo(totals.bytesWritten);
            assertThat(PluginMetrics.of("bytesWritten.notPreferred")).isEqualTo(inFlash);
            assertThat(PluginMetrics.of("bytesRead"))
                    .isEqualTo(
                            PluginMetrics.of("storageClass.0.bytesRead")
                                    + PluginMetrics.of("storageClass.1.bytesRead"));
            application.spark().stop();
            assertThat(warnings.texts())
                    .singleElement()
                    .asString()
                    .startsWith("Storage class 0 of crail is full: ");
        }
    }

    @Test
    void executorsThatAreProcessesFillMemoryAndThenFlash() throws IOException {
        try (TestApplication application =
                TestApplication.start(
                        memoryAndFlash(FLASH), TestApplication.TWO_EXECUTORS, Map.of())) {
            Totals totals =
                    application.during(
                            () -> assertThat(shuffled(application, 4_000)).isEqualTo(4_000));
            assertThat(totals.failedTasks).isZero();
            assertThat(totals.bytesRead).isEqualTo(totals.bytesWritten);
            assertThat(capacity(application, 0).committed()).isGreaterThan(MEMORY / 2);
            assertThat(capacity(application, 1).committed())
                    .isGreaterThan(totals.bytesWritten - MEMORY);
        }
    }

    @Test
    void whatIsMeantForFlashGoesThereAndIsNotCountedAsMisplaced() throws IOException {
        try (Warnings warnings = Warnings.of("io.crail.spark.store.StorageClassWatch");
                TestApplication application =
                        TestApplication.start(
                                memoryAndFlash(FLASH),
                                TestApplication.LOCAL,
                                Map.of("spark.crail.storageClass", "1"))) {
            assertThat(shuffled(application, 500)).isEqualTo(500);
            assertThat(capacity(application, 0).committed()).isZero();
            assertThat(PluginMetrics.of("storageClass.1.bytesWritten")).isGreaterThan(500L * VALUE);
            assertThat(PluginMetrics.of("bytesWritten.notPreferred")).isZero();
            application.spark().stop();
            assertThat(warnings.texts()).isEmpty();
        }
    }

    @Test
    void whenNothingIsFreeTheJobSaysWhatToDoAndLeavesNothingBehind() throws IOException {
        try (TestApplication application = TestApplication.start(memory(), "local[4]", Map.of())) {
            assertThatThrownBy(() -> shuffled(application, 4_000))
                    .hasMessageContaining("no block for")
                    .hasMessageContaining("storage class 0")
                    .hasMessageContaining("16 MiB")
                    .hasMessageContaining("add storage servers")
                    .hasMessageContaining("spark.cleaner.periodicGC.interval");
            // Nobody waits for the end of the shuffle: it is the files of the attempts that go,
            // and those of tasks that had succeeded stay for the stage to be tried again.
            String shuffle = application.directory() + "/0";
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThat(committedBelow(application, shuffle))
                                            .isEqualTo(capacity(application, 0).committed()));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(capacity(application, 0).granted()).isZero());
            application.spark().sc().cleaner().get().doCleanupShuffle(0, true);
            // Of so few blocks, tasks that run at once may hold all for a moment, ahead of need.
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(shuffled(application, 400)).isEqualTo(400));
        }
    }

    private static long committedBelow(TestApplication application, String path)
            throws IOException {
        return application.client().lookup(path).isPresent()
                ? application.client().summary(path).allocated()
                : 0;
    }

    @Test
    void whenMemoryAndFlashAreFullTheJobSaysSoAndTheNextOneHasRoom() throws IOException {
        try (TestApplication application =
                TestApplication.start(memoryAndFlash(FLASH / 2), "local[4]", Map.of())) {
            assertThatThrownBy(() -> shuffled(application, 10_000))
                    .hasMessageContaining("OutOfSpaceException")
                    .hasMessageContaining("no block for")
                    .hasMessageContaining("add storage servers");
            assertThat(PluginMetrics.of("storageClass.1.bytesWritten")).isPositive();
            application.spark().sc().cleaner().get().doCleanupShuffle(0, true);
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(shuffled(application, 400)).isEqualTo(400));
        }
    }

    @Test
    void aTaskThatFoundNoSpaceSucceedsWhenItIsTriedAgainLater() throws IOException {
        try (TestApplication application =
                TestApplication.start(memory(), "local[4,100]", Map.of())) {
            // In the way until the first task has failed.
            try (CrailOutputStream obstacle = application.client().createFile(OBSTACLE)) {
                obstacle.write(new byte[MEMORY - 2 * MIB]);
            }
            Totals totals = new Totals();
            application
                    .spark()
                    .sc()
                    .addSparkListener(new MakesRoomWhenATaskFails(application.client()));
            application.spark().sc().addSparkListener(totals);
            assertThat(shuffled(application, 800)).isEqualTo(800);
            await().untilAsserted(() -> assertThat(totals.failedTasks).isPositive());
        }
    }

    /** Removes what is in the way. */
    private static final class MakesRoomWhenATaskFails extends SparkListener {
        private final CrailClient client;
        private boolean done;

        MakesRoomWhenATaskFails(CrailClient client) {
            this.client = client;
        }

        @Override
        public void onTaskEnd(SparkListenerTaskEnd end) {
            if (!done && !end.taskInfo().successful()) {
                done = true;
                try {
                    client.delete(OBSTACLE, false);
                } catch (CrailException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
