// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What broadcasts that are under way take of Spark's memory, and what they do without. */
@Tag("spark")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BroadcastMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int PARTS = 24;
    private static final long CHUNK = 2 * MIB;
    private static final long MOST = 16 * CHUNK;

    /** What Spark has for storage and execution together: more than the value and its chunks. */
    private static final Map<String, String> MEMORY =
            Map.of(
                    "spark.testing.memory",
                    Integer.toString(200 * MIB),
                    "spark.testing.reservedMemory",
                    "1000");

    /** Of chunks that were under way when a part of a value was written or read; the most. */
    private static final AtomicLong WRITING = new AtomicLong();

    private static final AtomicLong READING = new AtomicLong();

    @BeforeEach
    void reset() {
        WRITING.set(0);
        READING.set(0);
    }

    private static long underWay() {
        return SparkEnv.get().blockManager().memoryStore().currentUnrollMemory();
    }

    /** Bytes within the stream of objects, which tell what is under way when they are met. */
    private static final class Parts implements Serializable {
        private static final long serialVersionUID = 1;

        private transient byte[][] parts = new byte[PARTS][];

        Parts() {
            for (int i = 0; i < PARTS; i++) {
                parts[i] = new byte[MIB];
                new Random(i).nextBytes(parts[i]);
            }
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            for (byte[] each : parts) {
                out.write(each);
                WRITING.accumulateAndGet(underWay(), Math::max);
            }
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            parts = new byte[PARTS][MIB];
            for (byte[] each : parts) {
                in.readFully(each);
                READING.accumulateAndGet(underWay(), Math::max);
            }
        }

        int hash() {
            return Arrays.deepHashCode(parts);
        }
    }

    /** All of the memory that Spark grants a task. */
    private static final class Greedy extends MemoryConsumer {
        Greedy(TaskMemoryManager manager) {
            super(manager, MemoryMode.ON_HEAP);
        }

        long takeAll() {
            long all = 0;
            for (long size = 1L << 40; size > 0; size /= 2) {
                all += acquireMemory(size);
            }
            return all;
        }

        @Override
        public long spill(long size, MemoryConsumer trigger) {
            return 0;
        }
    }

    private static TestApplication start(Map<String, String> settings) throws IOException {
        return TestApplication.start("local[2]", settings);
    }

    @Test
    void chunksThatAreUnderWayAreAccountedFor() throws IOException {
        try (TestApplication application = start(MEMORY)) {
            Parts value = new Parts();
            Broadcast<Parts> broadcast = application.spark().broadcast(value);
            assertThat(WRITING).hasValueBetween(CHUNK, MOST);
            assertThat(underWay()).isZero();
            BroadcastCopies.forget(broadcast);
            List<Integer> read =
                    application
                            .spark()
                            .parallelize(List.of(1), 1)
                            .map(any -> broadcast.value().hash())
                            .collect();
            assertThat(read).containsExactly(value.hash());
            assertThat(READING).hasValueBetween(CHUNK, MOST);
            assertThat(underWay()).isZero();
        }
    }

    @Test
    void aTaskWithoutMemoryReadsChunkByChunk() throws IOException {
        try (TestApplication application = start(MEMORY)) {
            Parts value = new Parts();
            byte[] array = new byte[10 * MIB];
            new Random(1).nextBytes(array);
            double[] numbers = new Random(2).doubles(MIB).toArray();
            Broadcast<Object[]> broadcast =
                    application.spark().broadcast(new Object[] {value, array, numbers});
            BroadcastCopies.forget(broadcast);
            List<Integer> read =
                    application
                            .spark()
                            .parallelize(List.of(1), 1)
                            .map(
                                    any -> {
                                        takeAll();
                                        Object[] parts = broadcast.value();
                                        return ((Parts) parts[0]).hash()
                                                + Arrays.hashCode((byte[]) parts[1])
                                                + Arrays.hashCode((double[]) parts[2]);
                                    })
                            .collect();
            assertThat(read)
                    .containsExactly(
                            value.hash() + Arrays.hashCode(array) + Arrays.hashCode(numbers));
            assertThat(READING).hasValue(0);
            assertThat(underWay()).isZero();
        }
    }

    private static long takeAll() {
        return new Greedy(TaskContext.get().taskMemoryManager()).takeAll();
    }

    @Test
    void aDriverWithoutMemoryWritesChunkByChunk() throws IOException {
        Map<String, String> settings = new HashMap<>(MEMORY);
        settings.put("spark.testing.memory", Integer.toString(MIB));
        try (TestApplication application = start(settings)) {
            Parts value = new Parts();
            Broadcast<Parts> broadcast = application.spark().broadcast(value);
            assertThat(WRITING).hasValue(0);
            assertThat(BroadcastCopies.readAnew(broadcast).value().hash()).isEqualTo(value.hash());
            assertThat(READING).hasValue(0);
        }
    }

    /** One waits for the value, and has all memory; the other, which reads it, does not wait. */
    @Test
    void whoReadsDoesNotWaitForTheMemoryOfThoseWhoWaitForTheValue() throws IOException {
        try (TestApplication application = start(MEMORY)) {
            Parts value = new Parts();
            Broadcast<Object[]> broadcast =
                    application.spark().broadcast(new Object[] {new Meeting(), value});
            BroadcastCopies.forget(broadcast);
            List<Integer> read =
                    application
                            .spark()
                            .parallelize(List.of(0, 1), 2)
                            .map(
                                    task -> {
                                        if (task == 1) {
                                            takeAll();
                                            Meeting.TAKEN.countDown();
                                        } else {
                                            Meeting.await(Meeting.TAKEN);
                                        }
                                        return ((Parts) broadcast.value()[1]).hash();
                                    })
                            .collect();
            assertThat(read).containsExactly(value.hash(), value.hash());
        }
    }

    /** Where tasks of this JVM meet. */
    private static final class Meeting implements Serializable {
        private static final long serialVersionUID = 1;

        static final CountDownLatch TAKEN = new CountDownLatch(1);

        static void await(CountDownLatch latch) {
            try {
                if (!latch.await(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("the other task has not taken memory");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void aTinyExecutorReadsMoreThanSparkGrantsIt() throws IOException {
        Map<String, String> settings = Map.of("spark.executor.memory", "512m");
        try (TestApplication application =
                TestApplication.start("local-cluster[1,1,512]", settings)) {
            // Each fits a region of the collector's.
            byte[][] value = new byte[200][900_000];
            for (int i = 0; i < value.length; i++) {
                new Random(i).nextBytes(value[i]);
            }
            Broadcast<byte[][]> broadcast = application.spark().broadcast(value);
            Totals totals =
                    application.during(
                            () ->
                                    assertThat(hashes(application, broadcast))
                                            .containsOnly(Arrays.deepHashCode(value)));
            assertThat(totals.failedTasks).isZero();
        }
    }

    private static List<Integer> hashes(
            TestApplication application, Broadcast<byte[][]> broadcast) {
        return application
                .spark()
                .parallelize(List.of(1, 2), 2)
                .map(
                        any -> {
                            takeAll();
                            return Arrays.deepHashCode(broadcast.value());
                        })
                .collect();
    }
}
