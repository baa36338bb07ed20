// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One line switches crail on, and says so when it cannot. */
@Tag("spark")
class CrailSparkPluginTest {
    private static void startWith(SparkConf conf) {
        new JavaSparkContext(conf).close();
    }

    /** A setting that is set, and what whoever starts the application is told. */
    @ParameterizedTest
    @CsvSource({
        "spark.crail.namenodes, '', spark.crail.namenodes is not set, spark.plugins",
        "spark.crail.client.deadline, 2s, 127.0.0.1:1, spark.plugins",
        "spark.crail.storageClas, 1, spark.crail.storageClas;,"
                + " did you mean spark.crail.storageClass?",
        "spark.crail.shuffle.sorter, com.example.Sorter, com.example.Sorter, RecordSorter",
        "spark.shuffle.manager, com.example.Other, com.example.Other,"
                + " spark.crail.shuffle.enabled=false",
    })
    void anApplicationThatCannotUseCrailDoesNotStart(
            String key, String value, String what, String remedy) throws IOException {
        SparkConf conf =
                TestApplication.configuration(TestApplication.LOCAL, "127.0.0.1:1").set(key, value);
        assertThatThrownBy(() -> startWith(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(what, remedy);
    }

    @Test
    void shufflesCanBeSwitchedOff() throws IOException {
        try (TestApplication application =
                TestApplication.start(
                        TestApplication.LOCAL,
                        Map.of(
                                "spark.crail.shuffle.enabled", "false",
                                "spark.crail.broadcast.enabled", "false"))) {
            assertThat(SparkEnv.get().shuffleManager())
                    .isExactlyInstanceOf(SortShuffleManager.class);
            assertThat(application.list("/spark")).isEmpty();
        }
    }

    @Test
    void losingExecutorsLosesNoOutputAndSparkKnows() throws IOException {
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, Map.of())) {
            assertThat(SparkEnv.get().shuffleManager()).isInstanceOf(CrailShuffleManager.class);
            assertThat(application.spark().sc().shuffleDriverComponents().supportsReliableStorage())
                    .isTrue();
        }
    }
}
