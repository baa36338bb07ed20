// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Settings of Spark that mean something else, or nothing, for shuffles in crail. */
@Tag("spark")
class ShuffleTakeoverTest {
    private static final String SHUFFLE_SERVICE = "spark.shuffle.service.enabled";
    private static final String UNREGISTER_HOST = "spark.files.fetchFailure.unRegisterOutputOnHost";
    private static final String PUSH = "spark.shuffle.push.enabled";
    private static final String TRACKING = "spark.dynamicAllocation.shuffleTracking.enabled";
    private static final int MAPS = 8;

    @ParameterizedTest
    @ValueSource(strings = {UNREGISTER_HOST, PUSH})
    void whatDoesNotFitIsSwitchedOffWithAWarning(String key) {
        try (Warnings warnings = Warnings.of(ShuffleTakeover.class.getName())) {
            SparkConf conf = new SparkConf(false).set(key, "true");
            ShuffleTakeover.take(conf);
            assertThat(conf.getBoolean(key, true)).isFalse();
            assertThat(warnings.texts()).hasSize(1).first().asString().contains(key);
        }
    }

    @Test
    void whoWantsNothingSpecialHearsNothing() {
        try (Warnings warnings = Warnings.of(ShuffleTakeover.class.getName())) {
            SparkConf conf = new SparkConf(false).set(PUSH, "false");
            ShuffleTakeover.take(conf);
            assertThat(conf.getBoolean(UNREGISTER_HOST, true)).isFalse();
            assertThat(conf.getBoolean(PUSH, true)).isFalse();
            assertThat(conf.getBoolean(TRACKING, true)).isFalse();
            assertThat(warnings.texts()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sort",
                "SORT",
                "Tungsten-Sort",
                "org.apache.spark.shuffle.sort.SortShuffleManager"
            })
    void sparksOwnManagerIsReplacedHoweverItIsCalled(String name) {
        SparkConf conf = new SparkConf(false).set("spark.shuffle.manager", name);
        ShuffleTakeover.take(conf);
        assertThat(conf.get("spark.shuffle.manager"))
                .isEqualTo(CrailShuffleManager.class.getName());
    }

    @Test
    void whoWantsExecutorsKeptForTheirOutputsHasThem() {
        SparkConf conf = new SparkConf(false).set(TRACKING, "true");
        ShuffleTakeover.take(conf);
        assertThat(conf.getBoolean(TRACKING, false)).isTrue();
    }

    @Test
    void aMissingOutputCostsNoOtherThoughSparkShouldForgetItsHost() throws IOException {
        try (TestApplication application =
                TestApplication.start(
                        TestApplication.LOCAL,
                        Map.of(SHUFFLE_SERVICE, "true", UNREGISTER_HOST, "true"))) {
            JavaPairRDD<Integer, Iterable<Integer>> healthy = groups(application);
            JavaPairRDD<Integer, Iterable<Integer>> broken = groups(application);
            assertThat(healthy.count()).isEqualTo(100);
            assertThat(broken.count()).isEqualTo(100);
            String outputs = application.directory() + "/1";
            assertThat(application.list(outputs)).hasSize(MAPS);
            String lost = outputs + "/" + application.list(outputs).get(3);
            application.client().delete(lost, false);
            // What executors have open would hide that it is gone.
            TestApplication.closeOutputs(1);
            Totals ofBroken = application.during(() -> assertThat(broken.count()).isEqualTo(100));
            Totals ofHealthy = application.during(() -> assertThat(healthy.count()).isEqualTo(100));
            assertThat(ofBroken.mapTasks).isEqualTo(1);
            assertThat(ofHealthy.mapTasks).isZero();
        }
    }

    private static JavaPairRDD<Integer, Iterable<Integer>> groups(TestApplication application) {
        List<Integer> numbers = IntStream.range(0, 4_000).boxed().toList();
        return application
                .spark()
                .parallelize(numbers, MAPS)
                .mapToPair(number -> new Tuple2<>(number % 100, number))
                .groupByKey(3);
    }
}
