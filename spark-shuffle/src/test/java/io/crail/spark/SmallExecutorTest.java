// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Far more partitions and bytes than an executor has memory for. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class SmallExecutorTest {
    private static final String SMALL = "local-cluster[1,1,512]";
    private static final int PARTITIONS = 10_000;
    private static final int RECORDS = 150_000;
    private static final int BYTES = 2_000;

    /** Records that cannot be compressed, three times what Spark grants its tasks. */
    private static Tuple2<Integer, byte[]> record(int number) {
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(number).nextBytes(bytes);
        return new Tuple2<>(number, bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"256", "16384"}) // sorted by pages, and a stream for each
    void aTaskWritesToTenThousandPartitions(String streams) throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spark.executor.memory",
                        "512m",
                        "spark.serializer",
                        KryoSerializer.class.getName(),
                        "spark.crail.shuffle.write.maxStreams",
                        streams);
        try (TestApplication application = TestApplication.start(SMALL, settings)) {
            JavaPairRDD<Integer, byte[]> partitioned =
                    application
                            .spark()
                            .parallelize(List.of(0), 1)
                            .flatMapToPair(
                                    one ->
                                            IntStream.range(0, RECORDS)
                                                    .mapToObj(SmallExecutorTest::record)
                                                    .iterator())
                            .partitionBy(new HashPartitioner(PARTITIONS));
            int[] some = {0, 1, 5_000, 9_999};
            Totals totals =
                    application.during(
                            () -> {
                                List<Tuple2<Integer, byte[]>>[] found =
                                        partitioned.collectPartitions(some);
                                for (int i = 0; i < some.length; i++) {
                                    int partition = some[i];
                                    assertThat(found[i])
                                            .hasSize(RECORDS / PARTITIONS)
                                            .allSatisfy(
                                                    each -> {
                                                        assertThat(each._1() % PARTITIONS)
                                                                .isEqualTo(partition);
                                                        assertThat(each._2())
                                                                .isEqualTo(record(each._1())._2());
                                                    });
                                }
                            });
            assertThat(totals.failedTasks).isZero();
        }
    }
}
