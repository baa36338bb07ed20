// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import scala.Tuple2;

/** What Spark does with shuffles, in one process. */
@Tag("spark")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShuffleTest {
    private TestApplication application;

    @BeforeAll
    void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private JavaPairRDD<Integer, Integer> pairs(int records, int maps, int keys) {
        List<Integer> numbers = IntStream.range(0, records).boxed().toList();
        return application
                .spark()
                .parallelize(numbers, maps)
                .mapToPair(number -> new Tuple2<>(number % keys, number));
    }

    @Test
    void recordsAreGroupedByKey() {
        List<Tuple2<Integer, Iterable<Integer>>> groups =
                pairs(10_000, 8, 100).groupByKey(7).collect();
        assertThat(groups).hasSize(100);
        for (Tuple2<Integer, Iterable<Integer>> group : groups) {
            assertThat(group._2())
                    .hasSize(100)
                    .allMatch(number -> number % 100 == group._1())
                    .doesNotHaveDuplicates();
        }
    }
}
