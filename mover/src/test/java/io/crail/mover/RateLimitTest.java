// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** How fast bytes may pass, by a clock that goes on when somebody waits. */
class RateLimitTest {
    private static final int MIB = 1 << 20;
    private static final double BURST_SECONDS = 0.05;

    private final AtomicLong clock = new AtomicLong(-77);
    private final RateLimit limit = new RateLimit(clock::get, clock::addAndGet);

    private double seconds(long since) {
        return (clock.get() - since) / 1e9;
    }

    @Property
    void theAverageIsKeptWhateverTheSizeOfThePieces(
            @ForAll @IntRange(min = 1, max = MIB) int piece,
            @ForAll @LongRange(min = 100_000, max = 1L << 30) long bytesPerSecond)
            throws InterruptedException {
        RateLimit fresh = new RateLimit(clock::get, clock::addAndGet);
        long start = clock.get();
        long bytes = 0;
        for (int i = 0; i < 50; i++) {
            fresh.acquire(piece, bytesPerSecond);
            bytes += piece;
        }
        // The last piece is under way, and a short burst may come first.
        double paid = (double) (bytes - piece) / bytesPerSecond;
        assertThat(seconds(start)).isBetween(paid - BURST_SECONDS - 1e-6, paid + 1e-6);
    }

    @Test
    void withoutALimitNobodyWaits() throws InterruptedException {
        limit.acquire(MIB, 1);
        long start = clock.get();
        limit.acquire(MIB, 0);
        limit.acquire(MIB, 0);
        assertThat(clock.get()).isEqualTo(start);
    }

    @Test
    void whatWasNotUsedIsNotSavedUp() throws InterruptedException {
        limit.acquire(MIB, MIB);
        clock.addAndGet(TimeUnit.HOURS.toNanos(1));
        long start = clock.get();
        for (int i = 0; i < 4; i++) {
            limit.acquire(MIB, MIB);
        }
        assertThat(seconds(start)).isBetween(2.9, 3.0);
    }

    @Test
    void whatWasGivenUnderALowerLimitIsPaidAtTheOneOfNow() throws InterruptedException {
        limit.acquire(4 * MIB, 1);
        assertThat(limit.owedNanos(1)).isGreaterThan(TimeUnit.DAYS.toNanos(48));
        assertThat(limit.owedNanos(MIB) / 1e9).isBetween(3.9, 4.0);
        long start = clock.get();
        limit.acquire(MIB, 2 * MIB);
        assertThat(seconds(start)).isBetween(1.9, 2.0);
        limit.acquire(MIB, 0);
        assertThat(seconds(start)).isBetween(1.9, 2.0);
    }

    @Test
    void aHigherDebtThanTimeHasIsOneOfYears() throws InterruptedException {
        limit.acquire(Long.MAX_VALUE, 1);
        assertThat(limit.owedNanos(1)).isGreaterThan(TimeUnit.DAYS.toNanos(3650));
        assertThat(limit.owedNanos(0)).isZero();
    }
}
