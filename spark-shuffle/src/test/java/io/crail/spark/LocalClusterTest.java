// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** Executors that are processes of their own. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class LocalClusterTest {
    private static final int MAPS = 8;

    private static TestApplication start(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("spark.crail.shuffle.warmUp", "true");
        return TestApplication.start(TestApplication.TWO_EXECUTORS, all);
    }

    private static JavaPairRDD<Integer, Iterable<Integer>> groups(TestApplication application) {
        List<Integer> numbers = IntStream.range(0, 4_000).boxed().toList();
        return application
                .spark()
                .parallelize(numbers, MAPS)
                .mapToPair(number -> new Tuple2<>(number % 100, number))
                .groupByKey(6);
    }

    private static void check(JavaPairRDD<Integer, Iterable<Integer>> groups) {
        Map<Integer, Iterable<Integer>> collected = groups.collectAsMap();
        assertThat(collected).hasSize(100);
        assertThat(collected.values()).allSatisfy(group -> assertThat(group).hasSize(40));
    }

    /** Executors that ran the tasks of a job. */
    private static List<String> executors(TestApplication application, int tasks) {
        return application
                .spark()
                .parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
                .map(any -> SparkEnv.get().executorId())
                .distinct()
                .collect();
    }

    @Test
    void anExecutorThatDiesTakesNoOutputAlong() throws IOException {
        try (TestApplication application = start(Map.of())) {
            JavaPairRDD<Integer, Iterable<Integer>> groups = groups(application);
            check(groups);
            assertThat(executors(application, 20)).isNotEmpty();
            application
                    .spark()
                    .parallelize(List.of(1), 1)
                    .foreach(
                            any -> {
                                if (TaskContext.get().attemptNumber() == 0) {
                                    Runtime.getRuntime().halt(1);
                                }
                            });
            Totals totals = application.during(() -> check(groups));
            assertThat(totals.mapTasks).isZero();
        }
    }

    @Test
    @Tag("long")
    void executorsThatAreNotNeededGoWithoutAServiceForTheirOutputs() throws IOException {
        try (TestApplication application =
                start(
                        Map.of(
                                "spark.dynamicAllocation.enabled", "true",
                                "spark.dynamicAllocation.initialExecutors", "2",
                                "spark.dynamicAllocation.minExecutors", "0",
                                "spark.dynamicAllocation.executorIdleTimeout", "1s"))) {
            JavaPairRDD<Integer, Iterable<Integer>> groups = groups(application);
            check(groups);
            // The driver is one of them.
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () ->
                                    application
                                                    .spark()
                                                    .sc()
                                                    .statusTracker()
                                                    .getExecutorInfos()
                                                    .length
                                            == 1);
            Totals totals = application.during(() -> check(groups));
            assertThat(totals.mapTasks).isZero();
            assertThat(totals.recordsRead).isEqualTo(4_000);
        }
    }

    @Test
    void aMissingOutputMakesSparkRunThatMapAgainAndNoOther() throws IOException {
        // Executors keep no output open, so that they notice.
        try (TestApplication application =
                start(Map.of("spark.crail.shuffle.read.indexMemory", "0"))) {
            JavaPairRDD<Integer, Iterable<Integer>> groups = groups(application);
            check(groups);
            String shuffle = application.directory() + "/0";
            List<String> outputs = application.list(shuffle);
            assertThat(outputs).hasSize(MAPS);
            application.client().delete(shuffle + "/" + outputs.get(3), false);
            Totals totals = application.during(() -> check(groups));
            assertThat(totals.mapTasks).isEqualTo(1);
        }
    }
}
