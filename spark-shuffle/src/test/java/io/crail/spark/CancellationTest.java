// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** The driver calls a job off while its tasks write, or read. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CancellationTest {
    private static final int MAPS = 4;
    private static final int BYTES = 1_000;

    /** Tasks of the same JVM meet here. */
    private static volatile CountDownLatch running = new CountDownLatch(1);

    private TestApplication application;

    @BeforeEach
    void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
        running = new CountDownLatch(MAPS);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private long bytes(ToLongFunction<Statistics.Capacity> which) throws CrailException {
        return application.client().statistics().classes().stream().mapToLong(which).sum();
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }

    private void cancel(JavaFutureAction<?> job) throws InterruptedException {
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        application.spark().cancelJobGroup("cancelled");
        assertThatThrownBy(job::get).hasStackTraceContaining("cancelled job group");
        application.spark().clearJobGroup();
    }

    private JavaPairRDD<Integer, byte[]> records(int records, int partitions) {
        return application
                .spark()
                .parallelize(IntStream.range(0, MAPS * records).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number, new byte[BYTES]))
                .partitionBy(new org.apache.spark.HashPartitioner(partitions));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 300})
    void tasksThatWriteLeaveNothingBehind(int partitions) throws Exception {
        application.spark().setJobGroup("cancelled", "will be cancelled", true);
        cancel(
                application
                        .spark()
                        .parallelize(IntStream.range(0, MAPS).boxed().toList(), MAPS)
                        .flatMapToPair(CancellationTest::many)
                        .partitionBy(new org.apache.spark.HashPartitioner(partitions))
                        .countAsync());
        soon(() -> assertThat(application.list(application.directory() + "/0")).isEmpty());
        soon(() -> assertThat(bytes(Statistics.Capacity::granted)).isZero());
        soon(() -> assertThat(bytes(Statistics.Capacity::committed)).isZero());
        assertThat(records(1_000, partitions).count()).isEqualTo(MAPS * 1_000);
    }

    /** Writes until it is killed, but not for ever. */
    private static Iterator<Tuple2<Integer, byte[]>> many(int number) {
        return IntStream.range(0, 1 << 20)
                .mapToObj(
                        step -> {
                            if (step == 5_000) {
                                running.countDown();
                            }
                            return new Tuple2<>(step, new byte[BYTES]);
                        })
                .iterator();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 300})
    void tasksThatReadLeaveWhatIsCommitted(int partitions) throws Exception {
        JavaPairRDD<Integer, byte[]> records = records(5_000, partitions);
        assertThat(records.count()).isEqualTo(MAPS * 5_000);
        String shuffle = application.directory() + "/0";
        List<String> outputs = application.list(shuffle);
        application.spark().setJobGroup("cancelled", "will be cancelled", true);
        cancel(records.mapPartitions(CancellationTest::endless).countAsync());
        assertThat(application.list(shuffle)).isEqualTo(outputs);
        soon(() -> assertThat(bytes(Statistics.Capacity::granted)).isZero());
        Totals totals =
                application.during(() -> assertThat(records.count()).isEqualTo(MAPS * 5_000));
        assertThat(totals.mapTasks).isZero();
        assertThat(totals.failedTasks).isZero();
    }

    /** Reads one record, and then goes on until it is killed. */
    private static Iterator<Integer> endless(Iterator<Tuple2<Integer, byte[]>> records) {
        records.next();
        running.countDown();
        return IntStream.generate(() -> records.hasNext() ? records.next()._1() : 0)
                .limit(1L << 34)
                .iterator();
    }
}
