// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flash server that is killed again and again while many write, read and delete. */
@Tag("faults")
@Timeout(240)
final class FlashLoadTest {
    private static final int ROUNDS = 3;
    private static final int WRITERS = 3;
    private static final int READERS = 2;
    private static final int KEPT = 8;
    private static final int LONGEST = 2 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** What an operation may take beyond its deadline, on a machine that is busy. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    /** A file that was closed without an error. */
    private record Committed(String path, long seed, int length) {
        byte[] content() {
            return Payload.random(seed, length);
        }
    }

    /** Writers' files; each is deleted by its writer, and by nobody while it is read. */
    private static final class Files {
        final Deque<Committed> all = new ArrayDeque<>();
        final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    }

    private final List<Files> files = new ArrayList<>();
    private final AtomicInteger commits = new AtomicInteger();
    private final AtomicInteger reads = new AtomicInteger();
    private final Queue<CrailException> errors = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    @Test
    void whatWasCommittedSurvivesEveryKillAndErrorsAreTypedAndSoon() throws Exception {
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .servers(1)
                                .capacity("16 MiB")
                                .flash("160 MiB")
                                .set("storage.nvmf.allocation", "sparse")
                                .start();
                CrailClient client =
                        CrailClient.connect(cluster.clientConfig().deadline(DEADLINE).build())) {
            client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
            List<Thread> threads = startAll(client);
            for (int round = 0; round < ROUNDS; round++) {
                awaitProgress();
                cluster.killStorage(1);
                cluster.restartStorage(1);
                cluster.awaitLive(2);
            }
            awaitProgress();
            over = true;
            for (Thread each : threads) {
                each.join(DEADLINE.plus(GRACE).toMillis());
                assertThat(each.isAlive()).as("%s ends", each.getName()).isFalse();
            }
            assertThat(faults).isEmpty();
            assertThat(errors).allSatisfy(FlashLoadTest::isExpected);
            for (Files each : files) {
                for (Committed file : each.all) {
                    assertThat(Payload.read(client, file.path))
                            .as(file.path)
                            .isEqualTo(file.content());
                }
            }
            AuditReport report = client.admin().check(null, looks -> {});
            assertThat(report.findings()).isEmpty();
        }
    }

    private static void isExpected(CrailException e) {
        if (e instanceof OutOfSpaceException) {
            // A busy machine may take so long over a restart that the only server counts as dead.
            assertThat(e).hasMessageContaining("in storage class 1 or above");
        } else {
            assertThat(e)
                    .isInstanceOfAny(
                            ServerLostException.class, BusyException.class, TimeoutException.class)
                    .hasMessageContaining("/flash/");
        }
    }

    private List<Thread> startAll(CrailClient client) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            files.add(new Files());
        }
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            threads.add(new Thread(() -> run(() -> write(client, number)), "writer-" + i));
        }
        for (int i = 0; i < READERS; i++) {
            Random random = new Random(i);
            threads.add(new Thread(() -> run(() -> read(client, random)), "reader-" + i));
        }
        threads.forEach(Thread::start);
        return threads;
    }

    private interface Turn {
        void take() throws IOException;
    }

    private void run(Turn loop) {
        try {
            loop.take();
        } catch (IOException | RuntimeException | AssertionError e) {
            faults.add(e);
        }
    }

    /** Some more files, and some more reads, than there were. */
    private void awaitProgress() {
        int written = commits.get() + 2 * WRITERS;
        int read = reads.get() + 2 * READERS;
        Awaitility.await()
                .until(
                        () ->
                                !faults.isEmpty()
                                        || (commits.get() >= written && reads.get() >= read));
        assertThat(faults).isEmpty();
    }

    private void write(CrailClient client, int number) throws IOException {
        Files mine = files.get(number);
        for (int turn = 0; !over; turn++) {
            long seed = number * 1000L + turn;
            int length = 1 + new Random(seed).nextInt(LONGEST);
            Committed file = new Committed("/flash/" + number + "-" + turn, seed, length);
            if (succeeds(() -> Payload.write(client, file.path, file.content()))) {
                mine.lock.writeLock().lock();
                try {
                    mine.all.add(file);
                    if (mine.all.size() > KEPT) {
                        Committed oldest = mine.all.remove();
                        boolean unused = succeeds(() -> client.delete(oldest.path, false));
                    }
                } finally {
                    mine.lock.writeLock().unlock();
                }
                commits.incrementAndGet();
            }
        }
    }

    private void read(CrailClient client, Random random) throws IOException {
        while (!over) {
            Files theirs = files.get(random.nextInt(files.size()));
            theirs.lock.readLock().lock();
            try {
                List<Committed> there = List.copyOf(theirs.all);
                if (!there.isEmpty()) {
                    Committed file = there.get(random.nextInt(there.size()));
                    if (succeeds(
                            () ->
                                    assertThat(Payload.read(client, file.path))
                                            .as(file.path)
                                            .isEqualTo(file.content()))) {
                        reads.incrementAndGet();
                    }
                }
            } finally {
                theirs.lock.readLock().unlock();
            }
        }
    }

    /** Whether it did; that it failed is remembered, that it took too long is a fault. */
    private boolean succeeds(Turn turn) throws IOException {
        long start = System.nanoTime();
        try {
            turn.take();
            return true;
        } catch (CrailException e) {
            errors.add(e);
            return false;
        } finally {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(took).isLessThan(DEADLINE.plus(DEADLINE).plus(GRACE));
        }
    }
}
