// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.polling;

import static io.crail.protocol.polling.SpinPolicy.BUDGET_NANOS;
import static io.crail.protocol.polling.SpinPolicy.FIRST_PAUSE_NANOS;
import static io.crail.protocol.polling.SpinPolicy.LONGEST_PAUSE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.Test;

final class SpinPolicyTest {
    private static final long SHORT = 8_000;

    /** Near the overflow of the clock, which must not matter. */
    private static final long START = Long.MAX_VALUE - 10_000_000;

    private SpinPolicy policy = new SpinPolicy();
    private long now = START;

    /** All tries of a property share the test's instance. */
    @BeforeTry
    void forgetTheTryBefore() {
        policy = new SpinPolicy();
        now = START;
    }

    /** One wait, whose event comes after so long; returns what was spent on looking. */
    private long waitFor(long nanos) {
        long budget = policy.budget(now);
        if (budget == 0) {
            now += nanos;
            return 0;
        }
        if (nanos <= budget) {
            now += nanos;
            policy.found(now, nanos);
            return nanos;
        }
        now += budget;
        policy.missed(now);
        now += nanos - budget;
        return budget;
    }

    private boolean looks() {
        return policy.budget(now) > 0;
    }

    private void exhaust() {
        for (int i = 0; looks(); i++) {
            assertThat(i).isLessThan(16);
            policy.missed(now);
        }
    }

    @Test
    void looksFromTheBeginningAndAsLongAsWaitsAreShort() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(waitFor(SHORT)).isEqualTo(SHORT);
        }
    }

    @Test
    void aFewWaitsThatAreLongDoNotEndIt() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(looks()).isTrue();
            waitFor(i % 6 == 5 ? 1_000_000 : SHORT);
        }
    }

    @Test
    void endsWhenEveryOtherWaitIsLong() {
        int looked = 0;
        for (int i = 0; i < 1_000; i++) {
            looked += waitFor(i % 2 == 0 ? 60_000 : SHORT) > 0 ? 1 : 0;
        }
        assertThat(looked).isLessThan(150);
    }

    @Test
    void anEventAfterTheBudgetIsAMissBecauseSomebodyElseHadTheCore() {
        for (int i = 0; i < 16 && looks(); i++) {
            policy.found(now, 3_000_000);
        }
        assertThat(looks()).isFalse();
    }

    @Test
    void triesAgainAfterPausesThatDoubleUpToALimit() {
        exhaust();
        long pause = FIRST_PAUSE_NANOS;
        for (int i = 0; i < 20; i++) {
            now += pause - 1;
            assertThat(looks()).isFalse();
            now += 1;
            assertThat(looks()).isTrue();
            policy.missed(now);
            assertThat(looks()).isFalse();
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
    }

    @Test
    void oneTryThatSucceedsBringsItBack() {
        exhaust();
        now += FIRST_PAUSE_NANOS;
        assertThat(waitFor(SHORT)).isEqualTo(SHORT);
        for (int i = 0; i < 100; i++) {
            assertThat(waitFor(SHORT)).isEqualTo(SHORT);
        }
    }

    @Property(tries = 200)
    void budgetsSpentInVainAreFewBesideShortWaits(
            @ForAll @Size(min = 1, max = 2_000) List<@IntRange(max = 300_000) Integer> waits) {
        long vain = 0;
        long found = 0;
        long begin = now;
        for (int wait : waits) {
            long spent = waitFor(wait);
            if (wait <= BUDGET_NANOS) {
                found += spent > 0 || wait == 0 ? 1 : 0;
            } else {
                vain += spent / BUDGET_NANOS;
            }
        }
        // Each success pays for a quarter of a miss, and the credit left at an end for one more; a
        // try is a miss itself, or pays for one, with what it wins for another.
        long tries = (now - begin) / FIRST_PAUSE_NANOS;
        assertThat(vain).isLessThanOrEqualTo(found / 4 + 4 + 2 * tries);
    }

    @Test
    void neverLooksIfToldSo() {
        policy = new SpinPolicy(false);

        for (int i = 0; i < 100; i++) {
            assertThat(policy.budget(now)).isZero();
            now += LONGEST_PAUSE_NANOS;
        }
    }
}
