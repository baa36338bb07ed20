// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.client.Value;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.error.StreamFailedException;
import io.crail.error.TimeoutException;
import io.crail.system.process.ProcessCluster;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invariant 1 under fire: values and files are written, replaced, removed and read by several
 * clients in a store so small that blocks are used again all the time, while servers are killed and
 * restarted. Every value says whose it is in each of its words; a reader that ever sees another
 * one's bytes, or a mix, fails the test. In the end every block is free again.
 */
@Tag("faults")
final class ChurnTest {
    private static final int NAMES = 24;
    private static final int MAX_WORDS = 40_000;
    private static final long CAPACITY = 2L * (48 << 20);

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong verified = new AtomicLong();

    @ParameterizedTest(name = "over shared memory: {0}")
    @ValueSource(booleans = {true, false})
    @Timeout(value = 150, unit = TimeUnit.SECONDS)
    void nobodyEverSeesAnotherNodesBytes(boolean sharedMemory) throws Exception {
        long seed = System.nanoTime();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster =
                ProcessCluster.builder()
                        .servers(2)
                        .capacity("48 MiB")
                        .set("namenode.dead-server.time", "20 s")
                        .set("namenode.heartbeat", "200 ms")
                        .set("namenode.snapshot.log-size", "256 KiB")
                        .start()) {
            try (CrailClient client = cluster.client()) {
                client.createTable("/t");
                client.mkdir("/d");
            }
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                long own = seed + i;
                workers.add(threads.submit(() -> work(cluster, sharedMemory, own)));
            }
            disturb(cluster);
            stop.set(true);
            for (Future<?> worker : workers) {
                worker.get(60, TimeUnit.SECONDS);
            }
            assertThat(written).as("seed " + seed).hasValueGreaterThan(50);
            assertThat(verified).as("seed " + seed).hasValueGreaterThan(50);
            allIsFreeInTheEnd(cluster);
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    /** Lets work go on between disturbances: progress decides when the next one comes. */
    private void disturb(ProcessCluster cluster) throws InterruptedException {
        awaitProgress(200);
        cluster.killStorage(0);
        cluster.restartStorage(0);
        awaitProgress(200);
        cluster.killNamenode();
        cluster.restartNamenode();
        awaitProgress(200);
        cluster.killStorage(1);
        cluster.killNamenode();
        cluster.restartNamenode();
        cluster.restartStorage(1);
        cluster.awaitLive(2);
        awaitProgress(200);
    }

    private void awaitProgress(long more) throws InterruptedException {
        long until = verified.get() + more;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (verified.get() < until && System.nanoTime() < deadline && !stop.get()) {
            Thread.sleep(5); // A poll interval.
        }
    }

    private Void work(ProcessCluster cluster, boolean sharedMemory, long seed) throws Exception {
        Random random = new Random(seed);
        try (CrailClient root =
                CrailClient.connect(cluster.clientConfig().sharedMemory(sharedMemory).build())) {
            CrailClient client = root.withDeadline(Duration.ofSeconds(10));
            CrailTable table = client.table("/t").withDeadline(Duration.ofSeconds(10));
            while (!stop.get()) {
                int name = random.nextInt(NAMES);
                try {
                    switch (random.nextInt(8)) {
                        case 0, 1 -> {
                            table.put(key(name), words(name, random));
                            written.incrementAndGet();
                        }
                        case 2 -> writeFile(client, name, random);
                        case 3 -> table.remove(key(name));
                        case 4 -> client.delete("/d/f" + name, false);
                        case 5 -> readFile(client, name);
                        case 6 -> viewValue(table, name);
                        default -> readValue(table, name);
                    }
                } catch (NoSuchNodeException
                        | OutOfSpaceException
                        | BusyException
                        | ServerLostException
                        | TimeoutException
                        | LeaseLostException
                        | StreamFailedException
                        | EOFException e) {
                    // What a store under these conditions may answer; wrong bytes it may not.
                    assertThat(e.getMessage()).isNotEmpty();
                }
            }
        }
        return null;
    }

    private static byte[] key(int name) {
        return Payload.text("k" + name);
    }

    /** Words that all hold (name, stamp): a mix of two writes, or of two names, shows. */
    private static ByteBuffer words(int name, Random random) {
        long word = ((long) name << 48) | (random.nextLong() & 0xFFFF_FFFF_FFFFL);
        int count = random.nextInt(4) == 0 ? 1 + random.nextInt(50) : 1 + random.nextInt(MAX_WORDS);
        ByteBuffer buffer = ByteBuffer.allocate(count * Long.BYTES);
        while (buffer.hasRemaining()) {
            buffer.putLong(word);
        }
        return buffer.flip();
    }

    private void verify(int name, ByteBuffer bytes) {
        if (bytes.remaining() == 0) {
            return;
        }
        long first = bytes.getLong();
        assertThat((int) (first >>> 48)).isEqualTo(name);
        while (bytes.hasRemaining()) {
            if (bytes.getLong() != first) {
                throw new AssertionError("a mix of values under name " + name);
            }
        }
        verified.incrementAndGet();
    }

    private void readValue(CrailTable table, int name) throws CrailException {
        Optional<Value> value = table.get(key(name));
        value.ifPresent(found -> verify(name, found.bytes()));
    }

    private void viewValue(CrailTable table, int name) throws CrailException {
        Optional<CrailView> found = table.getView(key(name));
        if (found.isPresent()) {
            try (CrailView view = found.get()) {
                ByteBuffer all = ByteBuffer.allocate((int) view.length());
                for (int look = 0; look < 2; look++) {
                    view.buffers().forEach(all::put);
                    verify(name, all.flip());
                    all.clear();
                }
            }
        }
    }

    private void writeFile(CrailClient client, int name, Random random) throws IOException {
        try (CrailOutputStream out = client.createFile("/d/f" + name, CreateOptions.OVERWRITE)) {
            out.append(words(name, random));
        }
        written.incrementAndGet();
    }

    private void readFile(CrailClient client, int name) throws IOException {
        byte[] bytes = Payload.read(client, "/d/f" + name);
        verify(name, ByteBuffer.wrap(bytes, 0, bytes.length / Long.BYTES * Long.BYTES));
    }

    private static void allIsFreeInTheEnd(ProcessCluster cluster) throws IOException {
        cluster.awaitLive(2);
        try (CrailClient client = cluster.client()) {
            client.delete("/t", true);
            client.delete("/d", true);
        }
        cluster.await(
                "every block is free again",
                client -> {
                    var bytes = client.statistics().classes().get(0);
                    return bytes.capacity() == CAPACITY && bytes.free() == CAPACITY;
                });
    }
}
