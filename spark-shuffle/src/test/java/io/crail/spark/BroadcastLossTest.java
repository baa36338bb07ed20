// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.BroadcastExchangeExec;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.Iterator;

/** What is lost with a storage server, when the driver does not have the value any more. */
@Tag("spark")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class BroadcastLossTest {
    private static final int MIB = 1 << 20;
    private static final int ROWS = 100_000;

    /** Of memory, for the driver's block manager to have some, or next to none. */
    private static final String PLENTY = "0.6";

    private static final String NOTHING = "0.002";

    private static TestApplication start(String memory) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("spark.crail.broadcast.minSize", "1m");
        settings.put("spark.memory.fraction", memory);
        settings.put("spark.sql.adaptive.enabled", "false");
        return TestApplication.start(TestApplication.TWO_EXECUTORS, settings);
    }

    /** The part of a query that makes a broadcast. */
    private static @Nullable BroadcastExchangeExec exchange(SparkPlan plan) {
        if (plan instanceof BroadcastExchangeExec found) {
            return found;
        }
        Iterator<SparkPlan> children = plan.children().iterator();
        while (children.hasNext()) {
            BroadcastExchangeExec found = exchange(children.next());
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static void awaitCollected(WeakReference<?> value) {
        await().atMost(60, TimeUnit.SECONDS)
                .until(
                        () -> {
                            System.gc();
                            return value.get() == null;
                        });
    }

    private static List<String> broadcasts(TestApplication application) throws CrailException {
        return application.list(application.directory()).stream()
                .filter(name -> name.startsWith("broadcast-"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {PLENTY, NOTHING})
    void aJoinWhoseRelationWasCollectedSurvivesALostStorageServer(String memory)
            throws IOException {
        try (TestApplication application = start(memory)) {
            SparkSession sql =
                    SparkSession.builder().sparkContext(application.spark().sc()).getOrCreate();
            Dataset<Row> names =
                    sql.range(0, ROWS)
                            .select(
                                    col("id"),
                                    concat(lit("name "), col("id"), lit(" "), rand(1)).as("name"));
            Dataset<Row> joined =
                    sql.range(0, 2L * ROWS, 1, 4)
                            .withColumn("id", col("id").mod(ROWS))
                            .join(broadcast(names), "id")
                            .where(col("name").startsWith("name"))
                            .agg(sum("id").as("total"));
            BroadcastExchangeExec exchange = exchange(joined.queryExecution().executedPlan());
            Broadcast<Object> relation = Objects.requireNonNull(exchange).executeBroadcast();
            assertThat(broadcasts(application)).containsExactly("broadcast-" + relation.id());
            awaitCollected(new WeakReference<>(relation.value()));
            application.cluster().stopStorage(0);
            assertThat(joined.collectAsList().get(0).getLong(0)).isEqualTo((ROWS - 1L) * ROWS);
            assertThat(broadcasts(application))
                    .containsExactly("broadcast-" + relation.id() + "-1");
            relation.destroy();
            assertThat(broadcasts(application)).isEmpty();
        }
    }

    @Test
    void theCopyOfAValueGoesWithTheBroadcast() throws IOException {
        try (TestApplication application = start(PLENTY)) {
            long before = stored();
            byte[] value = new byte[5 * MIB];
            new Random(1).nextBytes(value);
            Broadcast<byte[]> internal =
                    application.spark().sc().broadcastInternal(value, true, ClassTags.any());
            assertThat(stored() - before).isBetween(5L * MIB, 6L * MIB);
            internal.destroy(true);
            assertThat(stored()).isLessThanOrEqualTo(before);
        }
    }

    /** Bytes of Spark's memory that the driver has in use for blocks. */
    private static long stored() {
        return SparkEnv.get().memoryManager().storageMemoryUsed();
    }

    @Test
    void aValueThatTheStoreRefusesLeavesNoCopy() throws IOException {
        try (TestApplication application = start(PLENTY)) {
            byte[] value = new byte[40 * MIB];
            new Random(1).nextBytes(value);
            fill(application);
            Broadcast<byte[]> broadcast =
                    application.spark().sc().broadcastInternal(value, true, ClassTags.any());
            assertThat(broadcast.getClass().getSimpleName()).isEqualTo("TorrentBroadcast");
            // Its own serialised copy alone.
            assertThat(stored()).isBetween(40L * MIB, 44L * MIB);
        }
    }

    private static void fill(TestApplication application) throws IOException {
        byte[] some = new byte[MIB];
        new Random(2).nextBytes(some);
        try (CrailOutputStream others =
                application.client().createFile("/others", CreateOptions.DEFAULT)) {
            for (int i = 0; i < 500; i++) {
                others.write(some);
            }
        }
    }

    @Test
    void aValueForWhichTheDriverHasNoMemoryIsOnItsDisk() throws IOException {
        try (TestApplication application = start(NOTHING)) {
            byte[] value = new byte[5 * MIB];
            new Random(1).nextBytes(value);
            Broadcast<byte[]> broadcast = application.spark().broadcast(value);
            BlockStatus status =
                    SparkEnv.get()
                            .blockManager()
                            .getStatus(new BroadcastBlockId(broadcast.id(), ""))
                            .get();
            assertThat(status.diskSize()).isGreaterThan(5L * MIB);
            assertThat(status.storageLevel()).isNotEqualTo(StorageLevel.NONE());
            application.cluster().stopStorage(0);
            List<Integer> hashes =
                    application
                            .spark()
                            .parallelize(List.of(1, 2), 2)
                            .map(any -> Arrays.hashCode(broadcast.value()))
                            .collect();
            assertThat(hashes).containsOnly(Arrays.hashCode(value));
        }
    }
}
