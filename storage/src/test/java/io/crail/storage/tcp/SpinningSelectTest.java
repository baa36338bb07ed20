// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.polling.SpinPolicy;
import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

class SpinningSelectTest {
    private long now = 1_000;
    private int looks;
    private int events;
    private final SpinningSelect select = new SpinningSelect(() -> now, true);

    private int turn(boolean hasTasks) throws Exception {
        return select.calculateStrategy(
                () -> {
                    looks++;
                    return events;
                },
                hasTasks);
    }

    /** Turns without events until the loop shall sleep. */
    private int turnsToSleep(long nanosPerTurn) throws Exception {
        int turns = 0;
        while (turn(false) != SelectStrategy.SELECT) {
            turns++;
            now += nanosPerTurn;
        }
        return turns;
    }

    @Test
    void looksForOneBudgetThenSleeps() throws Exception {
        assertThat(turnsToSleep(SpinPolicy.BUDGET_NANOS / 10)).isEqualTo(10);
        assertThat(looks).isEqualTo(10);
    }

    @Test
    void oneThatShallNotLookSleepsAtOnce() throws Exception {
        SpinningSelect sleeping = new SpinningSelect(() -> now, false);
        assertThat(sleeping.calculateStrategy(() -> ++looks, false))
                .isEqualTo(SelectStrategy.SELECT);
        assertThat(looks).isZero();
    }

    @Test
    void aLookWithoutEventsLetsTheLoopGoOnWithItsTasks() throws Exception {
        assertThat(turn(false)).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void whatIsFoundIsHandledAtOnceAndBeginsTheNextLookAnew() throws Exception {
        turn(false);
        now += SpinPolicy.BUDGET_NANOS / 2;
        events = 3;
        assertThat(turn(false)).isEqualTo(3);
        events = 0;
        assertThat(turnsToSleep(SpinPolicy.BUDGET_NANOS / 10)).isEqualTo(10);
    }

    @Test
    void sleepsAtOnceWhenLookingHasNotPaid() throws Exception {
        int before = looks;
        for (int i = 0; i < 10; i++) {
            turnsToSleep(SpinPolicy.BUDGET_NANOS);
        }
        assertThat(turn(false)).isEqualTo(SelectStrategy.SELECT);
        assertThat(looks - before).isLessThan(10);
    }

    @Test
    void tasksDoNotWaitForALook() throws Exception {
        turnsToSleep(SpinPolicy.BUDGET_NANOS);
        events = 2;
        assertThat(turn(true)).isEqualTo(2);
    }
}
