// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.fence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Gate gate = new Gate();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void refusesEveryEntryOnceItIsClosed() throws InterruptedException {
        int before = gate.enter();
        gate.close();

        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
        assertThat(gate.inside()).isEqualTo(1);
        assertThat(gate.awaitEmpty(1)).as("somebody is inside").isFalse();

        gate.exit(before);
        assertThat(gate.awaitEmpty(1)).isTrue();
        assertThat(gate.enter()).isEqualTo(Gate.REFUSED);
    }

    @Test
    void waitsUntilTheLastOneHasLeft() throws Exception {
        int first = gate.enter();
        int second = gate.enter();
        gate.close();
        Future<Boolean> empty = threads.submit(() -> gate.awaitEmpty(LONG));
        gate.exit(first);
        assertThat(empty.isDone()).isFalse();
        gate.exit(second);
        assertThat(empty.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void barrierWaitsForThoseInsideAndNotForThoseWhoComeLater() throws Exception {
        int old = gate.enter();
        assertThat(gate.barrier(1)).isFalse();
        int newer = gate.enter();

        Future<Boolean> passed = threads.submit(() -> gate.barrier(LONG));
        assertThat(passed.isDone()).isFalse();
        gate.exit(old);
        gate.exit(newer); // it entered after the first barrier, before the second
        assertThat(passed.get(60, TimeUnit.SECONDS)).isTrue();

        int latest = gate.enter();
        gate.exit(latest);
        assertThat(gate.barrier(LONG)).isTrue();
    }

    @Test
    void barrierPassesThoughSomebodyIsAlwaysInside() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        List<Future<?>> busy = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            busy.add(
                    threads.submit(
                            () -> {
                                int inside = gate.enter();
                                while (!stop.get()) {
                                    int next = gate.enter();
                                    gate.exit(inside);
                                    inside = next;
                                }
                                gate.exit(inside);
                            }));
        }
        try {
            for (int round = 0; round < 100; round++) {
                assertThat(gate.barrier(LONG)).isTrue();
            }
        } finally {
            stop.set(true);
        }
        for (Future<?> each : busy) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(gate.inside()).isZero();
    }

    @Test
    void nobodyIsInsideAfterClosingAndWaiting() throws Exception {
        for (int round = 0; round < 200; round++) {
            Gate raced = new Gate();
            AtomicInteger inside = new AtomicInteger();
            AtomicBoolean fenced = new AtomicBoolean();
            AtomicBoolean broken = new AtomicBoolean();
            List<Future<?>> users = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                users.add(
                        threads.submit(
                                () -> {
                                    int ticket;
                                    while ((ticket = raced.enter()) != Gate.REFUSED) {
                                        inside.incrementAndGet();
                                        if (fenced.get()) {
                                            broken.set(true);
                                        }
                                        inside.decrementAndGet();
                                        raced.exit(ticket);
                                    }
                                }));
            }
            raced.close();
            assertThat(raced.awaitEmpty(LONG)).isTrue();
            fenced.set(true);
            assertThat(inside.get()).isZero();
            for (Future<?> each : users) {
                each.get(60, TimeUnit.SECONDS);
            }
            assertThat(broken).isFalse();
        }
    }
}
