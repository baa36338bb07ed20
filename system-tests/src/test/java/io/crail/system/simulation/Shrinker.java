// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes a failing scenario smaller: leaves out runs of faults and of steps, shorter and shorter
 * ones, as long as it still fails and the budget of attempts lasts.
 */
final class Shrinker {
    private final Predicate<Scenario> fails;
    private int budget;

    Shrinker(Predicate<Scenario> fails, int budget) {
        this.fails = fails;
        this.budget = budget;
    }

    Scenario shrink(Scenario failing) {
        Scenario fewerFaults =
                shrink(failing, Scenario::faults, (all, rest) -> all.with(all.steps(), rest));
        return shrink(fewerFaults, Scenario::steps, (all, rest) -> all.with(rest, all.faults()));
    }

    private <T> Scenario shrink(
            Scenario failing,
            Function<Scenario, List<T>> part,
            BiFunction<Scenario, List<T>, Scenario> with) {
        Scenario smallest = failing;
        for (int run = part.apply(failing).size(); run > 0; run /= 2) {
            int at = 0;
            while (at < part.apply(smallest).size()) {
                if (budget-- <= 0) {
                    return smallest;
                }
                List<T> rest = new ArrayList<>(part.apply(smallest));
                rest.subList(at, Math.min(rest.size(), at + run)).clear();
                Scenario candidate = with.apply(smallest, rest);
                if (fails.test(candidate)) {
                    smallest = candidate;
                } else {
                    at += run;
                }
            }
        }
        return smallest;
    }
}
