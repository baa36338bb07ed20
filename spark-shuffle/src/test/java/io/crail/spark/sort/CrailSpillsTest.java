// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.cluster.EmbeddedCluster;
import io.crail.spark.config.CrailSettings;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializerManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrailSpillsTest {
    private static final int SHUFFLE = 3;

    private final TaskContext task =
            Tasks.task(new TaskMemoryManager(new SortFixture.Memory(bytes -> true), 0));
    private final TaskMetrics metrics = task.taskMetrics();
    private EmbeddedCluster cluster;
    private StoreLease lease;
    private CrailSpills spills;

    @BeforeEach
    void start() throws IOException {
        cluster = EmbeddedCluster.builder().servers(1).capacity(64L << 20).start();
        SparkConf conf =
                new SparkConf(false)
                        .set("spark.crail.namenodes", cluster.namenode())
                        .set("spark.app.name", "spills");
        lease =
                ApplicationStores.OF_THIS_JVM.begin(
                        conf, CrailSettings.of(conf), new java.security.SecureRandom());
        lease.store().client().mkdir(directory(), CreateOptions.DEFAULT);
        spills =
                new CrailSpills(
                        lease.store(),
                        SHUFFLE,
                        task,
                        new SerializerManager(new JavaSerializer(conf), conf));
    }

    @AfterEach
    void stop() {
        lease.close();
        cluster.close();
    }

    private String directory() {
        return lease.store().shufflePath(SHUFFLE);
    }

    private boolean isEmpty() throws IOException {
        CrailClient client = lease.store().client();
        return !client.list(directory()).hasNext();
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new Random(bytes).nextBytes(random);
        return random;
    }

    /** None, less than a buffer, exactly some, and many. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100_000, 131_072, 262_144, 262_145, 3_000_000})
    void bytesComeBack(int bytes) throws IOException {
        SpillFile file = spills.create(1234);
        try (OutputStream target = file.write()) {
            target.write(random(bytes));
        }
        long pooled = lease.store().buffers().kept();
        for (int i = 0; i < 2; i++) {
            try (InputStream source = file.read()) {
                assertThat(source.readAllBytes()).isEqualTo(random(bytes));
            }
        }
        assertThat(lease.store().buffers().kept()).isEqualTo(pooled + SpillInput.MEMORY);
        assertThat(metrics.memoryBytesSpilled()).isEqualTo(1234);
        assertThat(metrics.diskBytesSpilled()).isPositive();
        file.delete();
        file.delete();
        await().atMost(Duration.ofSeconds(20)).until(this::isEmpty);
    }

    @Test
    void aStreamThatIsClosedEarlyGivesItsBuffersBackOnce() throws IOException {
        SpillFile file = spills.create(0);
        try (OutputStream target = file.write()) {
            target.write(random(3_000_000));
        }
        InputStream source = file.read();
        assertThat(source.read()).isEqualTo(random(3_000_000)[0] & 0xFF);
        source.close();
        source.close();
        assertThat(lease.store().buffers().kept()).isEqualTo(SpillInput.MEMORY);
        file.delete();
        await().atMost(Duration.ofSeconds(20)).until(this::isEmpty);
    }

    @Test
    void aTaskThatIsKilledDoesNotSpill() {
        task.markInterrupted("no longer wanted");
        assertThatThrownBy(() -> spills.create(0)).isInstanceOf(TaskKilledException.class);
    }

    @Test
    void aFileThatWasNotFinishedLeavesNothing() throws IOException {
        SpillFile file = spills.create(0);
        file.write().write(random(3_000_000));
        file.delete();
        await().atMost(Duration.ofSeconds(20)).until(this::isEmpty);
    }
}
