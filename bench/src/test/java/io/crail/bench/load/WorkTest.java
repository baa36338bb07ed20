// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.measure.Histogram;
import io.crail.error.NoSuchNodeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkTest {
    private static final long LONG = 60_000_000_000L;

    @Test
    void aBatchEndsWhenNothingIsLeft() throws IOException {
        AtomicInteger left = new AtomicInteger(5);
        Histogram times = new Histogram();
        Work blocking = Work.blocking(() -> left.getAndDecrement() > 0);
        assertThat(blocking.run(LONG, times)).isEqualTo(5);
        assertThat(times.count()).isEqualTo(5);
        AtomicInteger more = new AtomicInteger(7);
        Work pipelined =
                Work.pipelined(
                        3,
                        slot ->
                                more.getAndDecrement() > 0
                                        ? CompletableFuture.completedFuture(null)
                                        : null);
        assertThat(pipelined.run(LONG, times)).isEqualTo(7);
        assertThat(times.count()).isEqualTo(5 + 7);
    }

    @Test
    void aBatchEndsWithItsTime() throws IOException {
        Histogram times = new Histogram();
        long count = Work.blocking(() -> true).run(1_000_000, times);
        assertThat(count).isPositive().isEqualTo(times.count());
        assertThat(
                        Work.pipelined(4, slot -> CompletableFuture.completedFuture(null))
                                .run(1_000_000, times))
                .isPositive();
    }

    @Test
    void asManyOperationsAreUnderWayAsWishedAndNoSlotHasTwo() throws IOException {
        List<CompletableFuture<Void>> open = new ArrayList<>();
        Set<Integer> slots = new HashSet<>();
        AtomicInteger begun = new AtomicInteger();
        Work work =
                Work.pipelined(
                        4,
                        slot -> {
                            slots.add(slot);
                            if (begun.get() == 4) {
                                // The ring waits for the oldest one: all four are under way.
                                return null;
                            }
                            begun.incrementAndGet();
                            CompletableFuture<Void> future = new CompletableFuture<>();
                            open.add(future);
                            if (open.size() == 4) {
                                open.forEach(one -> one.complete(null));
                            }
                            return future;
                        });
        assertThat(work.run(LONG, new Histogram())).isEqualTo(4);
        assertThat(slots).containsExactly(0, 1, 2, 3);
    }

    @Test
    void theFailureOfAnAsynchronousOperationKeepsItsClass() {
        Work work =
                Work.pipelined(
                        2,
                        slot ->
                                CompletableFuture.failedFuture(
                                        new NoSuchNodeException("lookup /a: it does not exist")));
        assertThatThrownBy(() -> work.run(LONG, new Histogram()))
                .isInstanceOf(NoSuchNodeException.class)
                .hasMessageContaining("/a");
    }
}
