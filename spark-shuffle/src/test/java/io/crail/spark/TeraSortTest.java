// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The same program with and without crail, in executors that are processes of their own. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class TeraSortTest {
    private static final FixedRecords RECORDS = new FixedRecords(4, 10_000, 5);

    @Test
    void recordsAreThoseOfSparkInTheSameOrder() throws IOException {
        List<List<String>> ofSpark;
        try (JavaSparkContext spark =
                new JavaSparkContext(TestApplication.withoutCrail(TestApplication.TWO_EXECUTORS))) {
            ofSpark = FixedRecords.lines(RECORDS.sorted(spark));
        }
        assertThat(ofSpark).isEqualTo(RECORDS.expected());
        try (TestApplication application =
                TestApplication.start(
                        TestApplication.TWO_EXECUTORS,
                        Map.of("spark.unsafe.exceptionOnMemoryLeak", "true"))) {
            assertThat(FixedRecords.lines(RECORDS.sorted(application.spark()))).isEqualTo(ofSpark);
            JavaPairRDD<byte[], byte[]> dying =
                    RECORDS.sorted(application.spark())
                            .mapPartitionsToPair(
                                    records -> {
                                        records.next();
                                        if (TaskContext.getPartitionId() == 2
                                                && TaskContext.get().attemptNumber() == 0) {
                                            Runtime.getRuntime().halt(1);
                                        }
                                        return records;
                                    });
            assertThat(dying.count()).isEqualTo(RECORDS.maps() * RECORDS.each() - 5);
        }
    }
}
