// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.MapOutputs;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** What happens when something goes wrong, or is over. */
@Tag("spark")
class FailureTest {
    private static final int MAPS = 8;

    /** Tasks of the same JVM meet here. */
    private static volatile CountDownLatch running = new CountDownLatch(1);

    private static final AtomicLong FAILURES = new AtomicLong();

    private TestApplication application;

    @BeforeEach
    void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private JavaPairRDD<Integer, Iterable<Integer>> groups() {
        List<Integer> numbers = IntStream.range(0, 4_000).boxed().toList();
        return application
                .spark()
                .parallelize(numbers, MAPS)
                .mapToPair(number -> new Tuple2<>(number % 100, number))
                .groupByKey(3);
    }

    private static void check(JavaPairRDD<Integer, Iterable<Integer>> groups) {
        Map<Integer, Iterable<Integer>> collected = groups.collectAsMap();
        assertThat(collected).hasSize(100);
        assertThat(collected.values()).allSatisfy(group -> assertThat(group).hasSize(40));
    }

    private String shuffle() throws IOException {
        String application = this.application.directory();
        return application + "/" + this.application.list(application).get(0);
    }

    /** What executors have open would hide what becomes of the files. */
    private static void forgetWhatIsOpen() throws IOException {
        TestApplication.closeOutputs(0);
    }

    @Test
    void aMissingOutputMakesSparkRunThatMapAgainAndNoOther() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        List<String> outputs = application.list(shuffle());
        assertThat(outputs).hasSize(MAPS);
        application.client().delete(shuffle() + "/" + outputs.get(3), false);
        forgetWhatIsOpen();
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isEqualTo(1);
        assertThat(totals.failedTasks).isBetween(1, 3);
    }

    @Test
    void anOutputThatIsNoneMakesSparkRunThatMapAgainAndNoOther() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        String output = shuffle() + "/" + application.list(shuffle()).get(5);
        try (CrailOutputStream file =
                application.client().createFile(output, CreateOptions.OVERWRITE)) {
            file.write(new byte[10_000]);
        }
        forgetWhatIsOpen();
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isEqualTo(1);
    }

    @Test
    void bytesThatAreNoStreamMakeSparkRunThatMapAgainAndNoOther() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        String output = shuffle() + "/" + application.list(shuffle()).get(2);
        // The store finds nothing wrong with them, and the index is as it was.
        byte[] content = application.read(output);
        long data =
                ByteBuffer.wrap(content)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong(content.length - 24);
        Arrays.fill(content, 0, (int) data, (byte) 0x77);
        try (CrailOutputStream file =
                application.client().createFile(output, CreateOptions.OVERWRITE)) {
            file.write(content);
        }
        forgetWhatIsOpen();
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isEqualTo(1);
        assertThat(totals.failedTasks).isBetween(1, 3);
    }

    @Test
    void aReadThatFailsIsTriedOnceMoreWithTheOutputOpenedAnew() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(application.spark().getConf())) {
            for (String output : application.list(shuffle())) {
                try (MapOutputs.Lease open =
                        lease.store().outputs().open(0, shuffle() + "/" + output, 3)) {
                    open.opened().join().file().close();
                }
            }
        }
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isZero();
        assertThat(totals.failedTasks).isZero();
    }

    @Test
    void whatIsOpenStaysReadable() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        for (String output : application.list(shuffle())) {
            application.client().delete(shuffle() + "/" + output, false);
        }
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isZero();
    }

    @Test
    void attemptsThatFailLeaveNothingBehind() throws IOException {
        List<Integer> numbers = IntStream.range(0, 40_000).boxed().toList();
        Totals totals =
                application.during(
                        () ->
                                assertThat(
                                                application
                                                        .spark()
                                                        .parallelize(numbers, 4)
                                                        .mapToPair(FailureTest::failLate)
                                                        .groupByKey(5)
                                                        .count())
                                        .isEqualTo(40_000));
        assertThat(totals.failedTasks).isEqualTo(4);
        String shuffle = shuffle();
        await().untilAsserted(() -> assertThat(application.list(shuffle)).hasSize(4));
    }

    private static Tuple2<Integer, byte[]> failLate(int number) {
        if (TaskContext.get().attemptNumber() == 0 && number % 10_000 == 9_999) {
            throw new IllegalStateException("a task that fails when it has written much");
        }
        return new Tuple2<>(number, new byte[1000]);
    }

    @Test
    void aShuffleIsRemovedWhenSparkForgetsIt() throws IOException {
        check(groups());
        assertThat(application.list(application.directory())).hasSize(1);
        application.spark().sc().cleaner().get().doCleanupShuffle(0, true);
        assertThat(application.list(application.directory())).isEmpty();
    }

    @Test
    void aShuffleIsRemovedByTheManagerOfTheDriver() throws IOException {
        check(groups());
        assertThat(application.list(application.directory())).hasSize(1);
        assertThat(SparkEnv.get().shuffleManager().unregisterShuffle(0)).isTrue();
        assertThat(application.list(application.directory())).isEmpty();
        assertThat(SparkEnv.get().shuffleManager().unregisterShuffle(0)).isTrue();
    }

    @Test
    void nothingStaysWhenTheApplicationEnds() throws IOException {
        check(groups());
        assertThat(application.list("/spark")).hasSize(1);
        application.spark().stop();
        assertThat(application.list("/spark")).isEmpty();
    }

    @Test
    void tasksThatAreInterruptedDoNotDisturbThoseThatFollow() throws Exception {
        running = new CountDownLatch(1);
        application.spark().setJobGroup("cancelled", "will be cancelled", true);
        JavaFutureAction<Long> job =
                application
                        .spark()
                        .parallelize(IntStream.range(0, 100).boxed().toList(), 4)
                        .flatMapToPair(FailureTest::endless)
                        .groupByKey(4)
                        .countAsync();
        running.await();
        application.spark().cancelJobGroup("cancelled");
        assertThatThrownBy(job::get).hasStackTraceContaining("cancelled job group");
        application.spark().clearJobGroup();
        check(groups());
    }

    /** Writes until it is killed, but not for ever. */
    private static java.util.Iterator<Tuple2<Integer, byte[]>> endless(int number) {
        return IntStream.range(0, 1 << 20)
                .mapToObj(
                        step -> {
                            if (step == 10_000) {
                                running.countDown();
                            }
                            return new Tuple2<>(step, new byte[1000]);
                        })
                .iterator();
    }

    @Test
    void aLostStorageServerCostsItsOutputsOnly() throws IOException {
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        check(groups);
        application.cluster().stopStorage(0);
        forgetWhatIsOpen();
        Totals totals = application.during(() -> check(groups));
        assertThat(totals.mapTasks).isBetween(1, MAPS);
    }

    @Test
    void manyAttemptsMayFailInTheMiddleOfReading() {
        FAILURES.set(0);
        JavaPairRDD<Integer, Iterable<Integer>> groups = groups();
        long count =
                groups.mapToPair(
                                group -> {
                                    if (TaskContext.get().attemptNumber() < 3
                                            && FAILURES.incrementAndGet() > 0) {
                                        throw new IllegalStateException("a task that fails");
                                    }
                                    return new Tuple2<>(group._1(), 1);
                                })
                        .count();
        assertThat(count).isEqualTo(100);
        assertThat(FAILURES.get()).isEqualTo(9);
    }
}
