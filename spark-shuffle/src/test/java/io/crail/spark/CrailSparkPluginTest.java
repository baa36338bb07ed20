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

/** One line switches crail on, and says so when it cannot. */
@Tag("spark")
class CrailSparkPluginTest {
    private static void startWith(SparkConf conf) {
        new JavaSparkContext(conf).close();
    }

    @Test
    void withoutANamenodeItSaysWhatToSet() throws IOException {
        SparkConf conf = TestApplication.configuration(TestApplication.LOCAL, "");
        assertThatThrownBy(() -> startWith(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("spark.crail.namenodes is not set");
    }

    @Test
    void aNamenodeThatDoesNotAnswerIsNamed() throws IOException {
        SparkConf conf =
                TestApplication.configuration(TestApplication.LOCAL, "127.0.0.1:1")
                        .set("spark.crail.client.deadline", "2s");
        assertThatThrownBy(() -> startWith(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageContaining("spark.plugins");
    }

    @Test
    void aSettingThatDoesNotExistIsNamedWithTheNearest() throws IOException {
        SparkConf conf =
                TestApplication.configuration(TestApplication.LOCAL, "127.0.0.1:1")
                        .set("spark.crail.storageClas", "1");
        assertThatThrownBy(() -> startWith(conf))
                .hasMessageContaining("spark.crail.storageClas;")
                .hasMessageContaining("did you mean spark.crail.storageClass?");
    }

    @Test
    void aSorterThatDoesNotExistIsNamed() throws IOException {
        SparkConf conf =
                TestApplication.configuration(TestApplication.LOCAL, "127.0.0.1:1")
                        .set("spark.crail.shuffle.sorter", "com.example.Sorter");
        assertThatThrownBy(() -> startWith(conf))
                .hasMessageContaining("com.example.Sorter")
                .hasMessageContaining("RecordSorter");
    }

    @Test
    void anotherShuffleManagerIsNotReplacedSilently() throws IOException {
        SparkConf conf =
                TestApplication.configuration(TestApplication.LOCAL, "127.0.0.1:1")
                        .set("spark.shuffle.manager", "com.example.Other");
        assertThatThrownBy(() -> startWith(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("com.example.Other")
                .hasMessageContaining("spark.crail.shuffle.enabled=false");
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
