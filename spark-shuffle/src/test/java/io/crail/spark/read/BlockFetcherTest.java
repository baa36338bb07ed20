// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailOutputStream;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.spark.config.CrailSettings;
import io.crail.spark.layout.MapOutputIndexBuilder;
import io.crail.spark.layout.StreamFormat;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.MapOutputLocation;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.memory.TestMemoryManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed by another thread than the one that reads, as where Spark has a process read. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BlockFetcherTest {
    private static final int MAPS = 12;
    private static final int BYTES = 300_000;
    private static final int BUFFER = 1 << 19;

    private static EmbeddedCluster cluster;

    private final TaskMemoryManager memory =
            new TaskMemoryManager(new TestMemoryManager(new SparkConf(false)), 0);
    private StoreLease lease;
    private ApplicationStore store;

    @BeforeAll
    static void startCluster() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(1).capacity(64L << 20).start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @BeforeEach
    void begin() throws IOException {
        begin(false);
    }

    private void begin(boolean views) throws IOException {
        SparkConf conf =
                new SparkConf(false)
                        .set("spark.app.name", "an application")
                        .set("spark.crail.namenodes", cluster.namenode())
                        .set("spark.crail.client.views.poison", "true")
                        .set("spark.crail.shuffle.read.views", String.valueOf(views));
        lease = ApplicationStores.OF_THIS_JVM.begin(conf, CrailSettings.of(conf), new Random());
        store = lease.store();
        for (int map = 0; map < MAPS; map++) {
            write(map);
        }
    }

    /** An output with one partition, all of whose bytes are the number of its map. */
    private void write(int map) throws IOException {
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) map);
        MapOutputIndexBuilder index = new MapOutputIndexBuilder(1, StreamFormat.SPARK);
        index.add(0, true, 0, BYTES);
        try (CrailOutputStream file = store.create(0, store.outputPath(0, map), BYTES)) {
            file.write(bytes);
            file.append(index.footer(BYTES));
        }
    }

    @AfterEach
    void stop() {
        assertThat(memory.getMemoryConsumptionForThisTask()).isZero();
        store.removeAll();
        lease.close();
    }

    @SuppressWarnings("NullAway") // It has no system of metrics.
    private BlockFetcher fetcher() {
        TaskContext context =
                new TaskContextImpl(
                        0,
                        0,
                        0,
                        0,
                        0,
                        1,
                        memory,
                        new Properties(),
                        null,
                        TaskMetrics.empty(),
                        1,
                        scala.collection.immutable.Map$.MODULE$.empty());
        List<MapBlocks> maps =
                IntStream.range(0, MAPS)
                        .mapToObj(
                                map ->
                                        new MapBlocks(
                                                MapOutputLocation.of(0, map),
                                                map,
                                                map,
                                                0,
                                                1,
                                                BYTES))
                        .toList();
        return new BlockFetcher(store, 0, 1, maps, context, new TempShuffleReadMetrics());
    }

    private static void closeElsewhere(BlockFetcher fetcher) {
        CompletableFuture.runAsync(fetcher::close).join();
    }

    /** The buffers that can be lent now, all different; what they had in them is gone. */
    private Set<ByteBuffer> takeAll() {
        Set<ByteBuffer> all = Collections.newSetFromMap(new IdentityHashMap<>());
        while (store.buffers().kept() > 0) {
            ByteBuffer next = store.buffers().take(BUFFER);
            while (next.hasRemaining()) {
                next.put((byte) 0xEE);
            }
            assertThat(all.add(next)).as("lent to one only").isTrue();
        }
        return all;
    }

    @Test
    void nothingBeginsAfterTheEnd() throws IOException {
        BlockFetcher fetcher = fetcher();
        assertThat(fetcher.nextStream()).isNotNull();
        assertThat(fetcher.read(new byte[100], 0, 100)).isEqualTo(100);
        closeElsewhere(fetcher);
        long kept = store.buffers().kept();
        assertThat(takeAll()).hasSize((int) (kept / BUFFER));
        assertThatThrownBy(fetcher::nextStream)
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("shuffle 0");
        assertThatThrownBy(() -> fetcher.read(new byte[100], 0, 100))
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> fetcher.peek(1)).isInstanceOf(ClosedException.class);
        fetcher.close();
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void whatIsLookedAtIsGivenBackByWhoLooksAtIt() throws IOException {
        BlockFetcher fetcher = fetcher();
        assertThat(fetcher.nextStream()).isNotNull();
        ByteBuffer seen = Objects.requireNonNull(fetcher.peek(1000));
        closeElsewhere(fetcher);
        assertThat(takeAll().contains(seen)).isFalse();
        assertThat(seen.get(seen.position() + 999)).isZero();
        fetcher.skip(1000);
        Set<ByteBuffer> given = takeAll();
        assertThat(given.contains(seen)).isTrue();
        assertThat(given.size()).isEqualTo(1);
        assertThatThrownBy(() -> fetcher.peek(1)).isInstanceOf(ClosedException.class);
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void whoLooksAndClosesGivesItBackAtOnce() throws IOException {
        BlockFetcher fetcher = fetcher();
        assertThat(fetcher.nextStream()).isNotNull();
        ByteBuffer seen = Objects.requireNonNull(fetcher.peek(1000));
        fetcher.close();
        assertThat(takeAll().contains(seen)).isTrue();
    }

    /** The last chunk is read as a whole, with what lies behind the piece. */
    @Test
    void nothingBehindAPieceIsTakenForIt() throws IOException {
        BlockFetcher fetcher = fetcher();
        for (int map = 0; map < MAPS; map++) {
            assertThat(fetcher.nextStream()).isNotNull();
            byte[] bytes = new byte[BYTES + 4096];
            int got = 0;
            for (int some = 0; some >= 0; some = fetcher.read(bytes, got, bytes.length - got)) {
                got += some;
            }
            assertThat(got).isEqualTo(BYTES);
            assertThat(Arrays.copyOf(bytes, BYTES)).containsOnly(map);
        }
        assertThat(fetcher.nextStream()).isNull();
        fetcher.close();
    }

    /** Reads by turns in both ways; every byte has to be right until it says that it is closed. */
    private static void readAll(BlockFetcher fetcher, AtomicLong done) throws IOException {
        byte[] bytes = new byte[8192];
        for (BlockStream next = fetcher.nextStream(); next != null; next = fetcher.nextStream()) {
            byte map = (byte) next.source().blocks().mapIndex();
            while (fetcher.left() > 0) {
                int some = (int) Math.min(bytes.length, fetcher.left());
                ByteBuffer seen = done.get() % 2 == 0 ? fetcher.peek(some) : null;
                if (seen != null) {
                    seen.get(seen.position(), bytes, 0, some);
                    fetcher.skip(some);
                } else {
                    some = fetcher.read(bytes, 0, some);
                }
                for (int i = 0; i < some; i++) {
                    if (bytes[i] != map) {
                        throw new AssertionError(bytes[i] + " in the output of map " + map);
                    }
                }
                done.incrementAndGet();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itMayBeClosedAtAnyTime(boolean views) throws Exception {
        stop();
        begin(views);
        Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            BlockFetcher fetcher = fetcher();
            AtomicLong done = new AtomicLong();
            CompletableFuture<Void> reading = new CompletableFuture<>();
            Thread reader =
                    new Thread(
                            () -> {
                                try {
                                    readAll(fetcher, done);
                                    reading.complete(null);
                                } catch (ClosedException e) {
                                    reading.complete(null);
                                } catch (IOException | RuntimeException | Error e) {
                                    reading.completeExceptionally(e);
                                }
                            });
            reader.start();
            int until = random.nextInt(2 * MAPS * BYTES / 8192);
            while (done.get() < until && !reading.isDone()) {
                Thread.onSpinWait();
            }
            fetcher.close();
            Set<ByteBuffer> before = takeAll();
            reader.join();
            reading.get();
            assertThat(takeAll()).hasSizeLessThan(2).noneMatch(before::contains);
            before.forEach(store.buffers()::give);
        }
    }
}
