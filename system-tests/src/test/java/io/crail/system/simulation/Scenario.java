// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** What happens in a run, as far as it does not follow from itself. A seed makes one. */
record Scenario(long seed, int clients, int servers, List<Step> steps, List<Fault> faults) {
    /** No step and no fault begins later. */
    static final long HORIZON = TimeUnit.SECONDS.toNanos(20);

    private static final long LONGEST_FAULT = TimeUnit.SECONDS.toNanos(12);
    private static final int[] SIZES = {16, 100, 1_000, 1_025, 5_000, 4_096, 40_000, 200_000};

    Scenario {
        steps = List.copyOf(steps);
        faults = List.copyOf(faults);
    }

    static Scenario of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int clients = 2 + random.nextInt(2);
        List<Step> steps = new ArrayList<>();
        for (int i = 20 + random.nextInt(60); i > 0; i--) {
            steps.add(step(random, clients, Step.Kind.COMMON));
        }
        List<Fault> faults = new ArrayList<>();
        for (int i = random.nextInt(25); i > 0; i--) {
            faults.add(fault(random));
        }
        faults.sort(Comparator.comparingLong(Fault::at));
        int servers = 1 + random.nextInt(3);
        if (seed % 2 != 0) {
            // Last, so that the other half of the seeds stays what it was.
            for (int i = 1 + random.nextInt(20); i > 0; i--) {
                steps.add(step(random, clients, Step.Kind.SPLICES));
            }
        }
        steps.sort(Comparator.comparingLong(Step::at));
        return new Scenario(seed, clients, servers, steps, faults);
    }

    private static Step step(SplittableRandom random, int clients, List<Step.Kind> kinds) {
        return new Step(
                random.nextLong(HORIZON),
                random.nextInt(clients),
                kinds.get(random.nextInt(kinds.size())),
                random.nextInt(3),
                SIZES[random.nextInt(SIZES.length)],
                1 + random.nextInt(5),
                random.nextInt(3) == 0 ? random.nextLong(TimeUnit.SECONDS.toNanos(4)) : 0);
    }

    private static Fault fault(SplittableRandom random) {
        long nanos =
                random.nextBoolean()
                        ? random.nextLong(TimeUnit.MILLISECONDS.toNanos(300))
                        : random.nextLong(LONGEST_FAULT);
        return new Fault(
                random.nextLong(HORIZON),
                Fault.Kind.of(random.nextInt(1 << 20)),
                random.nextInt(1 << 20),
                nanos);
    }

    Scenario with(List<Step> otherSteps, List<Fault> otherFaults) {
        return new Scenario(seed, clients, servers, otherSteps, otherFaults);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("seed ").append(seed).append(": ").append(clients).append(" clients, ");
        text.append(servers).append(" storage servers");
        steps.forEach(step -> text.append("\n  ").append(step));
        faults.forEach(fault -> text.append("\n  ").append(fault));
        return text.toString();
    }
}
