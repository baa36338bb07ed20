// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    private static final Scenario WHOLE = Scenario.of(3);

    @Test
    void leavesNothingOfAScenarioThatAlwaysFails() {
        Scenario smallest = new Shrinker(scenario -> true, 10).shrink(WHOLE);

        assertThat(smallest).isEqualTo(WHOLE.with(List.of(), List.of()));
    }

    @Test
    void keepsTheOneStepThatMatters() {
        Step culprit = WHOLE.steps().get(WHOLE.steps().size() / 2);

        Scenario smallest =
                new Shrinker(scenario -> scenario.steps().contains(culprit), 500).shrink(WHOLE);

        assertThat(smallest.steps()).containsExactly(culprit);
        assertThat(smallest.faults()).isEmpty();
    }

    @Test
    void stopsWhenItsBudgetIsSpent() {
        int[] attempts = new int[1];

        Scenario smallest = new Shrinker(scenario -> attempts[0]++ < 0, 7).shrink(WHOLE);

        assertThat(attempts[0]).isEqualTo(7);
        assertThat(smallest).isEqualTo(WHOLE);
    }
}
