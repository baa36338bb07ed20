// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.cluster.EmbeddedCluster;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Two attempts of a map task at a time. */
@Tag("spark")
@Timeout(value = 360, unit = TimeUnit.SECONDS)
class SpeculationTest {
    private static final int MAPS = 4;

    /**
     * Spark asks for second attempts when so many of the maps are done: all but the slow one. An
     * attempt that loses to another in its last moment may leave its output until the shuffle goes,
     * and on a busy machine that would be any map.
     */
    private static final String ALL_BUT_ONE = "0.75";

    /** A killed attempt ends when its executor gets to it. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final int RECORDS = 3_000;
    private static final int BYTES = 1_000;

    @TempDir Path directory;

    @Test
    void theAttemptThatLosesLeavesNothingBehind() throws IOException {
        EmbeddedCluster store = EmbeddedCluster.builder().servers(2).capacity(64L << 20).start();
        try (TwoHosts hosts =
                        TwoHosts.start(
                                directory,
                                TestApplication.configuration("local", store.namenode()));
                TestApplication application =
                        TestApplication.start(
                                store,
                                hosts.master(),
                                Map.of(
                                        "spark.executor.memory", "512m",
                                        "spark.speculation", "true",
                                        "spark.speculation.interval", "100ms",
                                        "spark.speculation.quantile", ALL_BUT_ONE,
                                        "spark.speculation.multiplier", "1.1"))) {
            JavaPairRDD<Integer, byte[]> records =
                    application
                            .spark()
                            .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
                            .flatMapToPair(SpeculationTest::slowTheFirstTime)
                            .partitionBy(new org.apache.spark.HashPartitioner(5));
            Totals totals =
                    application.during(() -> assertThat(sum(records)).isEqualTo(MAPS * sumOfOne()));
            assertThat(totals.mapTasks).isGreaterThan(MAPS);
            String shuffle = application.directory() + "/0";
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(application.list(shuffle)).hasSize(MAPS));
            await().atMost(LONG)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    application
                                                            .client()
                                                            .statistics()
                                                            .classes()
                                                            .stream()
                                                            .mapToLong(
                                                                    Statistics.Capacity::granted))
                                            .containsOnly(0L));
        }
    }

    private static long sumOfOne() {
        return (long) RECORDS * (RECORDS - 1) / 2;
    }

    private static long sum(JavaPairRDD<Integer, byte[]> records) {
        return records.filter(record -> record._2().length == BYTES)
                .map(record -> (long) record._1())
                .reduce(Long::sum);
    }

    /** One of the maps, which has much written when it stops for longer than all others take. */
    private static Iterator<Tuple2<Integer, byte[]>> slowTheFirstTime(int map) {
        boolean slow = map == 0 && TaskContext.get().attemptNumber() == 0;
        return IntStream.range(0, RECORDS)
                .mapToObj(
                        number -> {
                            if (slow && number == RECORDS - 1) {
                                untilKilled();
                            }
                            return new Tuple2<>(number, new byte[BYTES]);
                        })
                .iterator();
    }

    /**
     * Spark says so to the context of the task, as the application has not asked for interrupts.
     */
    private static void untilKilled() {
        TaskContext context = TaskContext.get();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!context.isInterrupted() && !Thread.currentThread().isInterrupted()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("nobody kills the slow attempt");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // A poll interval.
        }
    }
}
