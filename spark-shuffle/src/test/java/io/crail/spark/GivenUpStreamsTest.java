// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Compressors of map tasks that fail are closed: some have memory that is not on the heap. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class GivenUpStreamsTest {
    private static final int RECORDS = 4_000;
    private static final int MAPS = 4;

    @ParameterizedTest
    @CsvSource({"Kryo, 16", "Java, 16", "Kryo, 300", "Java, 300"})
    void tasksThatFailCloseWhatTheyHaveOpen(String serializer, int partitions) throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spark.shuffle.compress",
                        "true",
                        "spark.io.compression.codec",
                        CountingCodec.class.getName(),
                        "spark.serializer",
                        "org.apache.spark.serializer." + serializer + "Serializer");
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, settings)) {
            int before = CountingCodec.OPENED.get();
            Totals totals =
                    application.during(
                            () ->
                                    assertThat(
                                                    application
                                                            .spark()
                                                            .parallelize(
                                                                    IntStream.range(0, RECORDS)
                                                                            .boxed()
                                                                            .toList(),
                                                                    MAPS)
                                                            .mapToPair(GivenUpStreamsTest::failLate)
                                                            .groupByKey(partitions)
                                                            .count())
                                            .isEqualTo(RECORDS));
            assertThat(totals.failedTasks).isEqualTo(MAPS);
            assertThat(CountingCodec.OPENED.get() - before).isGreaterThan(partitions);
        }
        assertThat(CountingCodec.OPEN).hasValue(0);
    }

    private static Tuple2<Integer, byte[]> failLate(int number) {
        if (TaskContext.get().attemptNumber() == 0
                && number % (RECORDS / MAPS) == RECORDS / MAPS - 1) {
            throw new IllegalStateException("a task that fails when it has written much");
        }
        return new Tuple2<>(number, new byte[100]);
    }
}
