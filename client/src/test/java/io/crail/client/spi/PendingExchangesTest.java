// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingExchangesTest {
    /** More than there are places. */
    private static final int MANY = 1_000;

    @Test
    void thoseThatFindTheirPlaceTakenAreKeptBesides() {
        PendingExchanges<Plain> pending = new PendingExchanges<>();
        List<Plain> all = new ArrayList<>();
        for (long id = 1; id <= MANY; id++) {
            Plain exchange = new Plain(id);
            all.add(exchange);
            pending.put(exchange);
        }
        assertThat(pending.size()).isEqualTo(MANY);
        assertThat(pending.inOrder()).isEqualTo(all);
        for (Plain each : all) {
            assertThat(pending.get(each.requestId())).isSameAs(each);
        }
        assertThat(pending.get(MANY + 1)).isNull();
        assertThat(pending.remove(new Plain(1))).as("another one with the id").isFalse();
        for (Plain each : all) {
            assertThat(pending.remove(each)).isTrue();
            assertThat(pending.remove(each)).isFalse();
            assertThat(pending.get(each.requestId())).isNull();
        }
        assertThat(pending.isEmpty()).isTrue();
        assertThat(pending.inOrder()).isEmpty();
    }

    /** Non-negative: the next id is put; else one of those that are there is removed. */
    @Property(tries = 200)
    void itIsAMap(@ForAll @Size(max = 2_000) List<@IntRange(min = -300, max = 400) Integer> steps) {
        PendingExchanges<Plain> pending = new PendingExchanges<>();
        TreeMap<Long, Plain> model = new TreeMap<>();
        long last = 0;
        for (int step : steps) {
            if (step >= 0) {
                last += 1 + step % 3; // ids of frames that are no calls are left out
                Plain exchange = new Plain(last);
                pending.put(exchange);
                model.put(last, exchange);
            } else if (!model.isEmpty()) {
                Long id = model.ceilingKey(Math.max(1, last + step));
                Plain exchange =
                        Objects.requireNonNull(model.get(id == null ? model.firstKey() : id));
                assertThat(pending.get(exchange.requestId())).isSameAs(exchange);
                assertThat(pending.remove(exchange)).isTrue();
                model.remove(exchange.requestId());
            }
        }
        assertThat(pending.size()).isEqualTo(model.size());
        assertThat(pending.inOrder()).isEqualTo(List.copyOf(model.values()));
    }

    /** Some are removed by two threads at once, and some stay for long. */
    @Test
    void eachIsRemovedByOneThreadAlone() throws Exception {
        PendingExchanges<Plain> pending = new PendingExchanges<>();
        AtomicLong ids = new AtomicLong();
        AtomicInteger removed = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        ConcurrentLinkedQueue<Plain> toRemove = new ConcurrentLinkedQueue<>();
        int each = 50_000;
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                done.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < each; i++) {
                                        Plain exchange = new Plain(ids.incrementAndGet());
                                        pending.put(exchange);
                                        if (pending.get(exchange.requestId()) != exchange) {
                                            lost.incrementAndGet();
                                        }
                                        toRemove.add(exchange);
                                        toRemove.add(exchange);
                                    }
                                }));
                done.add(
                        threads.submit(
                                () -> {
                                    while (removed.get() < 2 * each) {
                                        Plain exchange = toRemove.poll();
                                        if (exchange == null) {
                                            Thread.onSpinWait();
                                        } else if (pending.remove(exchange)) {
                                            removed.incrementAndGet();
                                        }
                                    }
                                }));
            }
            for (Future<?> future : done) {
                future.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(lost).as("not found although it was there").hasValue(0);
        assertThat(removed).hasValue(2 * each);
        assertThat(pending.isEmpty()).isTrue();
        assertThat(pending.inOrder()).isEmpty();
    }

    private static final class Plain extends Exchange {
        Plain(long requestId) {
            super(requestId, 0, 0, new byte[0], null);
        }

        @Override
        public long session() {
            return 0;
        }

        @Override
        public long acknowledged() {
            return 0;
        }

        @Override
        public int remainingMillis() {
            return 1;
        }

        @Override
        public @Nullable ByteBuffer payloadTarget(int status, int length) {
            return null;
        }

        @Override
        public void answered(int status, long epoch, byte[] control) {}

        @Override
        public void failed(CrailException cause) {}

        @Override
        public String toString() {
            return "exchange " + requestId();
        }
    }
}
