// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.Tuple2;

/** Broadcasts that executors read, which are processes of their own. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class BroadcastClusterTest {
    private static final int MIB = 1 << 20;
    private static final int TASKS = 16;

    private static TestApplication start(Map<String, String> settings) throws IOException {
        return TestApplication.start(TestApplication.TWO_EXECUTORS, settings);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** Which object each executor has, and what is in it. */
    private static Set<Tuple2<String, String>> seen(
            TestApplication application, Broadcast<byte[]> broadcast) {
        return new HashSet<>(
                application
                        .spark()
                        .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                        .map(
                                any ->
                                        new Tuple2<>(
                                                SparkEnv.get().executorId(),
                                                System.identityHashCode(broadcast.value())
                                                        + " "
                                                        + Arrays.hashCode(broadcast.value())))
                        .collect());
    }

    private static void checkOneForEach(Set<Tuple2<String, String>> seen, byte[] value) {
        List<String> executors = seen.stream().map(Tuple2::_1).distinct().toList();
        assertThat(seen).as("one value for each of %s", executors).hasSameSizeAs(executors);
        assertThat(seen).allMatch(each -> each._2().endsWith(" " + Arrays.hashCode(value)));
    }

    @Test
    void allTasksOfAnExecutorShareOneValue() throws IOException {
        try (TestApplication application = start(Map.of())) {
            byte[] value = bytes(64 * MIB);
            Broadcast<byte[]> broadcast = application.spark().broadcast(value);
            checkOneForEach(seen(application, broadcast), value);
            broadcast.unpersist(true);
            checkOneForEach(seen(application, broadcast), value);
            broadcast.destroy(true);
            assertThatThrownBy(() -> seen(application, broadcast))
                    .hasRootCauseInstanceOf(SparkException.class)
                    .hasStackTraceContaining("destroyed");
            assertThat(application.list(application.directory())).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void everyBroadcastOfSparkItselfWorks() throws IOException {
        // All that is not null goes to crail: tasks of stages, configurations, relations of joins.
        try (TestApplication application =
                start(
                        Map.of(
                                "spark.crail.broadcast.minSize",
                                "0",
                                "spark.shuffle.mapOutput.minSizeForBroadcast",
                                "1"))) {
            SparkSession sql =
                    SparkSession.builder().sparkContext(application.spark().sc()).getOrCreate();
            Dataset<Row> names =
                    sql.range(0, 1000)
                            .select(col("id"), concat(lit("name "), col("id")).as("name"));
            Dataset<Row> joined =
                    sql.range(0, 100_000, 1, 4)
                            .withColumn("id", col("id").mod(1000))
                            .join(broadcast(names), "id")
                            .groupBy("name")
                            .agg(sum("id").as("total"));
            assertThat(joined.queryExecution().toString()).contains("BroadcastHashJoin");
            List<Row> rows = joined.collectAsList();
            assertThat(rows).hasSize(1000);
            assertThat(rows)
                    .allMatch(
                            row ->
                                    row.getLong(1)
                                            == 100 * Long.parseLong(row.getString(0).substring(5)));
            assertThat(files(application)).isNotEmpty();
        }
    }

    private static List<String> files(TestApplication application) throws CrailException {
        return application.list(application.directory()).stream()
                .filter(name -> name.startsWith("broadcast-"))
                .toList();
    }

    @Test
    void anExecutorThatDiesWhileItReadsIsReplaced() throws IOException {
        try (TestApplication application = start(Map.of())) {
            byte[] first = bytes(20 * MIB);
            byte[] second = bytes(30 * MIB);
            Broadcast<Object[]> broadcast =
                    application.spark().broadcast(new Object[] {first, new Deadly(), second});
            Totals totals =
                    application.during(
                            () ->
                                    assertThat(hashes(application, broadcast))
                                            .hasSize(TASKS)
                                            .containsOnly(
                                                    Arrays.hashCode(first)
                                                            + Arrays.hashCode(second)));
            assertThat(totals.failedTasks).isPositive();
            broadcast.destroy(true);
            assertThat(files(application)).isEmpty();
        }
    }

    private static List<Integer> hashes(
            TestApplication application, Broadcast<Object[]> broadcast) {
        return application
                .spark()
                .parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS)
                .map(
                        number ->
                                Arrays.hashCode((byte[]) broadcast.value()[0])
                                        + Arrays.hashCode((byte[]) broadcast.value()[2]))
                .collect();
    }

    /** Ends the executor that reads it for the first attempt of the first task. */
    private static final class Deadly implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            TaskContext task = TaskContext.get();
            if (task != null && task.partitionId() == 0 && task.attemptNumber() == 0) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    @Test
    void aLostStorageServerCostsAWriteMore() throws IOException {
        try (TestApplication application = start(Map.of())) {
            byte[] value = bytes(40 * MIB);
            Broadcast<byte[]> broadcast = application.spark().broadcast(value);
            application.cluster().stopStorage(0);
            checkOneForEach(seen(application, broadcast), value);
            assertThat(files(application)).containsExactly("broadcast-" + broadcast.id() + "-1");
        }
    }

    @Test
    @Tag("long")
    void aValueOfMoreThanTwoGibibytesIsBroadcast() throws IOException {
        try (TestApplication application =
                TestApplication.start("local-cluster[1,1,1024]", Map.of())) {
            Broadcast<ManyArrays> broadcast = application.spark().broadcast(new ManyArrays(2200));
            assertThat(files(application)).hasSize(1);
            List<Integer> right =
                    application
                            .spark()
                            .parallelize(List.of(1, 2), 2)
                            .map(any -> broadcast.value().right)
                            .collect();
            assertThat(right).containsExactly(2200, 2200);
        }
    }

    /**
     * Arrays of 1 MiB, each made when it is written, as bytes of the stream, and forgotten:
     * together they are more than the heap of the driver. In the store they shrink to almost
     * nothing.
     */
    private static final class ManyArrays implements Serializable {
        private static final long serialVersionUID = 1;

        private final int count;
        private transient int right;

        ManyArrays(int count) {
            this.count = count;
        }

        private static byte[] array(int number) {
            byte[] array = new byte[MIB];
            Arrays.fill(array, (byte) number);
            return array;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            for (int i = 0; i < count; i++) {
                out.write(array(i));
            }
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            byte[] read = new byte[MIB];
            for (int i = 0; i < count; i++) {
                in.readFully(read);
                right += Arrays.equals(read, array(i)) ? 1 : 0;
            }
        }
    }
}
