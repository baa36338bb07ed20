// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.spi.CompletionSource;
import io.crail.client.spi.IoContext;
import io.crail.error.CancelledException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who polls, who waits, and what wakes them. */
class EngineTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    private final AtomicLong skew = new AtomicLong();

    /** How often the clock was read; who looks reads it for each look. */
    private final AtomicLong readings = new AtomicLong();

    private Engine engine;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    EngineTest() {}

    @BeforeEach
    void start() throws IOException {
        engine =
                new Engine(
                        new EngineSettings(
                                "engine-test",
                                4 << 20,
                                LONG,
                                SocketChannel::open,
                                () -> {
                                    readings.incrementAndGet();
                                    return System.nanoTime() + skew.get();
                                }));
    }

    @AfterEach
    void close() {
        engine.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(Thread::isAlive)
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("engine-test"));
    }

    /** Waits on a strand of its own until the flag is set by one of the strand's tasks. */
    private Engine.Outcome await(Strand strand, AtomicBoolean done) {
        strand.enter();
        try {
            return engine.await(strand, done::get, LONG, true);
        } finally {
            strand.exit();
        }
    }

    /**
     * A ring of threads, each waiting for a task from its predecessor: every wake-up crosses
     * threads, and poller and parked waiters change all the time. A lost wake-up shows as a wait
     * that takes as long as the bound of a sleep; a thousand of them would not fit the time.
     */
    @Test
    void noWakeUpIsLostAmongThreadsThatWakeEachOther() throws Exception {
        int threads = 4;
        int rounds = 1_000;
        Strand[] strands = new Strand[threads];
        AtomicInteger[] tokens = new AtomicInteger[threads];
        for (int i = 0; i < threads; i++) {
            strands[i] = engine.newStrand();
            tokens[i] = new AtomicInteger();
        }
        AtomicInteger failures = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(threads);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int me = i;
            int next = (i + 1) % threads;
            all.add(
                    new Thread(
                            () -> {
                                try {
                                    barrier.await();
                                    for (int round = 1; round <= rounds; round++) {
                                        int wanted = round;
                                        strands[next].execute(tokens[next]::incrementAndGet);
                                        strands[me].enter();
                                        if (engine.await(
                                                        strands[me],
                                                        () -> tokens[me].get() >= wanted,
                                                        LONG,
                                                        true)
                                                != Engine.Outcome.DONE) {
                                            failures.incrementAndGet();
                                        }
                                        strands[me].exit();
                                    }
                                } catch (Exception e) {
                                    failures.incrementAndGet();
                                }
                            }));
        }
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(failures).hasValue(0);
    }

    @Test
    void aParkedWaiterTakesOverWhenThePollerLeaves() throws Exception {
        Strand first = engine.newStrand();
        Strand second = engine.newStrand();
        AtomicBoolean firstDone = new AtomicBoolean();
        AtomicBoolean secondDone = new AtomicBoolean();
        Thread one = new Thread(() -> await(first, firstDone));
        Thread two = new Thread(() -> await(second, secondDone));
        one.start();
        two.start();
        first.execute(() -> firstDone.set(true));
        one.join();
        // Only the poller runs this.
        engine.execute(() -> second.execute(() -> secondDone.set(true)));
        two.join();
        assertThat(secondDone).isTrue();
    }

    @Test
    void channelsAreServedByWhoeverWaits() throws Exception {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        Strand strand = engine.newStrand();
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Thread> servedBy = new AtomicReference<>();
        engine.register(
                pipe.source(),
                SelectionKey.OP_READ,
                operations -> {
                    servedBy.set(Thread.currentThread());
                    try {
                        pipe.source().read(ByteBuffer.allocate(8));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    strand.execute(() -> done.set(true));
                });
        pipe.sink().write(ByteBuffer.wrap(new byte[1]));
        assertThat(await(strand, done)).isEqualTo(Engine.Outcome.DONE);
        assertThat(servedBy.get()).isSameAs(Thread.currentThread());
        pipe.source().close();
        pipe.sink().close();
    }

    /** A handler that is told nothing by the selector, and found by looking. */
    private record Found(int atOnce, Runnable then) implements IoContext.ReadyHandler {
        @Override
        public void ready(int operations) {}

        @Override
        public int look() {
            then.run();
            return atOnce;
        }
    }

    @Test
    void aHandlerThatExpectsSomethingIsLookedAtWithoutTheSelector() throws IOException {
        Pipe silent = pipe();
        Strand strand = engine.newStrand();
        AtomicBoolean done = new AtomicBoolean();
        engine.register(
                silent.source(),
                SelectionKey.OP_READ,
                new Found(1, () -> strand.execute(() -> done.set(true))));
        assertThat(await(strand, done)).isEqualTo(Engine.Outcome.DONE);
        silent.source().close();
        silent.sink().close();
    }

    @Test
    void aBusyHandlerDoesNotKeepOthersFromTheirTurn() throws IOException {
        Pipe busy = pipe();
        Pipe other = pipe();
        Strand strand = engine.newStrand();
        AtomicBoolean done = new AtomicBoolean();
        engine.register(busy.source(), SelectionKey.OP_READ, new Found(1, () -> {}));
        engine.register(
                other.source(),
                SelectionKey.OP_READ,
                operations -> strand.execute(() -> done.set(true)));
        other.sink().write(ByteBuffer.wrap(new byte[1]));
        assertThat(await(strand, done)).isEqualTo(Engine.Outcome.DONE);
        for (Pipe each : List.of(busy, other)) {
            each.source().close();
            each.sink().close();
        }
    }

    private static Pipe pipe() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return pipe;
    }

    @Test
    void whatIsLeftForLaterGoesOutBeforeTheThreadWaits() {
        engine.retain();
        engine.asksForOutcome();
        assertThat(engine.willWait()).isTrue();
        Strand strand = engine.newStrand();
        AtomicBoolean done = new AtomicBoolean();
        engine.flushLater(() -> strand.execute(() -> done.set(true)));
        assertThat(await(strand, done)).isEqualTo(Engine.Outcome.DONE);
        engine.release();
    }

    @Test
    void whatIsLeftForLaterGoesOutThoughTheThreadDoesNotWait() {
        engine.retain();
        engine.asksForOutcome();
        AtomicBoolean flushed = new AtomicBoolean();
        engine.flushLater(() -> flushed.set(true));
        Awaitility.await().untilTrue(flushed);
        engine.release();
    }

    @Test
    void aThreadThatAsksForNoOutcomeIsNotExpectedToWait() {
        engine.retain();
        assertThat(engine.willWait()).isFalse();
        engine.release();
        engine.asksForOutcome();
        assertThat(engine.willWait()).as("with nothing under way").isFalse();
    }

    /** What an RDMA device or a ring in shared memory would do. */
    @Test
    void completionSourcesArePolledAndMayWakeThePoller() {
        Strand strand = engine.newStrand();
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger polls = new AtomicInteger();
        AtomicBoolean arrived = new AtomicBoolean();
        CompletionSource source =
                new CompletionSource() {
                    @Override
                    public int poll() {
                        if (polls.incrementAndGet() > 5 && arrived.compareAndSet(false, true)) {
                            strand.execute(() -> done.set(true));
                            return 1;
                        }
                        return 0;
                    }

                    @Override
                    public boolean arm() {
                        return false;
                    }
                };
        engine.addSource(source);
        assertThat(await(strand, done)).isEqualTo(Engine.Outcome.DONE);
        engine.removeSource(source);
    }

    @Test
    void theProgressThreadPollsWhenNobodyWaits() {
        engine.retain();
        AtomicReference<String> thread = new AtomicReference<>();
        engine.schedule(1_000_000, () -> thread.set(Thread.currentThread().getName()));
        Awaitility.await().until(() -> thread.get() != null);
        assertThat(thread.get()).contains("progress");
        engine.release();
    }

    @Test
    void aFailingTaskEndsNothing() {
        engine.retain();
        CountDownLatch later = new CountDownLatch(1);
        engine.execute(
                () -> {
                    throw new IllegalStateException("on purpose: this test makes a task fail");
                });
        engine.deliver(
                () -> {
                    throw new IllegalStateException("on purpose: this test makes a dependent fail");
                });
        engine.execute(later::countDown);
        Awaitility.await().until(() -> later.getCount() == 0);
        engine.release();
    }

    @Test
    void tasksOfOneStrandNeverOverlap() throws Exception {
        engine.retain();
        Strand strand = engine.newStrand();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        Runnable task =
                () -> {
                    if (inside.incrementAndGet() != 1) {
                        overlaps.incrementAndGet();
                    }
                    Thread.onSpinWait();
                    inside.decrementAndGet();
                    ran.incrementAndGet();
                };
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            threads.add(
                    new Thread(
                            () -> {
                                for (int i = 0; i < 3_000; i++) {
                                    strand.execute(task);
                                    if (i % 100 == 0) {
                                        strand.drain();
                                    }
                                }
                            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Awaitility.await().until(() -> ran.get() == 9_000);
        assertThat(overlaps).hasValue(0);
        engine.release();
    }

    @Test
    void anOperationThatEndsEarlyCallsItsPartsOff() {
        Strand strand = engine.newStrand();
        Operation operation = engine.newOperation(strand, "wait for nothing", 1_000_000);
        CompletableFuture<Void> never = new CompletableFuture<>();
        AtomicReference<Throwable> cause = new AtomicReference<>();
        operation.add(cause::set);
        operation.waitingFor(() -> "Godot");
        strand.enter();
        assertThatThrownBy(() -> operation.join(never, true))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("wait for nothing")
                .hasMessageContaining("Godot");
        strand.exit();
        assertThat(cause.get()).isInstanceOf(TimeoutException.class);
        AtomicReference<Throwable> late = new AtomicReference<>();
        operation.add(late::set);
        assertThat(late.get()).isSameAs(cause.get());
        operation.cancel(new CancelledException("later"));
        assertThat(operation.cancelled()).isInstanceOf(TimeoutException.class);
    }

    @Test
    void watchedOperationsExpireThoughNobodyWaits() {
        engine.retain();
        Operation operation = engine.newOperation(engine.newStrand(), "background", LONG);
        engine.watch(operation);
        skew.set(LONG);
        Awaitility.await().until(() -> operation.cancelled() != null);
        engine.release();
    }

    @Test
    void namesAndLiteralsAreResolved() {
        engine.retain();
        List<InetSocketAddress> found = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean failed = new AtomicBoolean();
        engine.resolve("127.0.0.1", 1, (address, failure) -> add(found, address));
        engine.resolve("localhost", 2, (address, failure) -> add(found, address));
        engine.resolve("no such name", 3, (address, failure) -> failed.set(failure != null));
        Awaitility.await().until(() -> found.size() == 2 && failed.get());
        engine.release();
    }

    private static void add(List<InetSocketAddress> found, @Nullable InetSocketAddress a) {
        if (a != null) {
            found.add(a);
        }
    }

    @Test
    void anEngineWithNothingUnderWaySleeps() {
        AtomicBoolean ran = new AtomicBoolean();
        engine.retain();
        engine.schedule(TimeUnit.MILLISECONDS.toNanos(5), () -> ran.set(true));
        Awaitility.await().untilTrue(ran);
        engine.release();
        long[] before = {readings.get()};

        // The progress thread looks for a moment longer.
        Awaitility.await()
                .pollInterval(300, TimeUnit.MILLISECONDS)
                .untilAsserted(
                        () -> {
                            long during = readings.get() - before[0];
                            before[0] += during;
                            assertThat(during).isLessThan(20);
                        });
    }
}
