// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
    private static final long MICRO = 1_000;
    private static final long HOUR = 3_600_000_000_000L;

    private final SpinBudget budget = new SpinBudget();

    @Test
    void looksAsLongAsThatFindsSomething() {
        for (int wait = 0; wait < 100; wait++) {
            assertThat(budget.budget(System.nanoTime())).isPositive();
            budget.ended(true, 300 * MICRO);
        }
        budget.ended(false, 400 * MICRO);
        assertThat(budget.budget(System.nanoTime())).as("after many finds").isPositive();
    }

    @Test
    void sleepsWhenItIsInVainAndTriesLater() {
        for (int wait = 0; wait < 20; wait++) {
            budget.ended(false, 400 * MICRO);
        }
        long now = System.nanoTime();
        assertThat(budget.budget(now)).isZero();
        assertThat(budget.budget(now + HOUR)).isPositive();
    }

    /** Goes on until a pause has ended; returns when it has. */
    private long pauseEnds() {
        long now = System.nanoTime();
        while (budget.budget(now) == 0) {
            now += 100 * MICRO;
        }
        return now;
    }

    @Test
    void afterAPauseItWaitsLongerForTheOtherEndToTryToo() {
        for (int wait = 0; wait < 20; wait++) {
            budget.ended(false, 400 * MICRO);
        }
        long later = pauseEnds();
        for (int late = 0; late < 15; late++) {
            budget.ended(true, 600 * MICRO);
            assertThat(budget.budget(later)).isEqualTo(1_000 * MICRO);
        }
        budget.ended(true, 120 * MICRO);
        assertThat(budget.budget(System.nanoTime())).isEqualTo(400 * MICRO);
    }

    @Test
    void whereAnswersDoTakeSoLongItTriesSeldom() {
        for (int wait = 0; wait < 20; wait++) {
            budget.ended(false, 400 * MICRO);
        }
        for (int attempt = 0; attempt < 8; attempt++) {
            long now = pauseEnds();
            for (int late = 0; late < 16; late++) {
                assertThat(budget.budget(now)).isPositive();
                budget.ended(true, 600 * MICRO);
            }
        }
        // Beside 10 ms of looks.
        assertThat(pauseEnds() - System.nanoTime()).isGreaterThan(200_000 * MICRO);
    }

    /** The pause after a look that took so long, in multiples of that. */
    private long pauses(long nanos) {
        long before = System.nanoTime();
        budget.ended(true, nanos);
        long pauses = 0;
        while (budget.budget(before + (pauses + 1) * nanos) == 0) {
            pauses++;
        }
        return pauses;
    }

    @Test
    void whoLosesTheCoreAgainAndAgainLooksSeldom() {
        // Long ones, beside which the time that the test itself takes is nothing.
        long lost = 10_000 * MICRO;
        assertThat(pauses(lost)).isBetween(1L, 2L);
        assertThat(pauses(lost)).isBetween(4L, 5L);
        assertThat(pauses(lost)).isBetween(16L, 17L);
        assertThat(pauses(lost)).isBetween(16L, 17L);
        for (int find = 0; find < 8; find++) {
            budget.ended(true, 100 * MICRO);
        }
        assertThat(pauses(lost)).isBetween(1L, 2L);
    }
}
