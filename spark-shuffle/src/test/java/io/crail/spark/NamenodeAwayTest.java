// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** What reduce tasks do when the namenode does not answer. */
@Tag("spark")
class NamenodeAwayTest {
    private static final int MAPS = 200;

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    void aTaskFailsByItselfAndNoOutputIsGivenUp() throws IOException {
        Map<String, String> settings = Map.of("spark.crail.client.deadline", "2s");
        try (TestApplication application = TestApplication.start("local[2]", settings)) {
            List<Integer> numbers = IntStream.range(0, MAPS).boxed().toList();
            JavaPairRDD<Integer, Iterable<Integer>> groups =
                    application
                            .spark()
                            .parallelize(numbers, MAPS)
                            .mapToPair(number -> new Tuple2<>(number % 10, number))
                            .groupByKey(2);
            assertThat(groups.count()).isEqualTo(10);
            application.cluster().close();
            // What executors have open could be read without the namenode.
            TestApplication.closeOutputs(0);
            Totals totals =
                    application.during(
                            () ->
                                    assertThatThrownBy(groups::count)
                                            .isInstanceOf(SparkException.class)
                                            .hasMessageContaining("namenode does not answer")
                                            .hasMessageContaining("No output is given up"));
            assertThat(totals.mapTasks).isZero();
            assertThat(totals.failedTasks).isBetween(1, 2);
        }
    }
}
