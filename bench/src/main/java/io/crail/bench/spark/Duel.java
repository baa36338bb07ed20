// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.MachineTime;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.measure.Sample;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds of one row: vanilla, crail, vanilla, crail, ... Both applications live at the same time
 * and one sleeps while the other is measured, so that what else happens on the machine disturbs
 * both; where the memory is too little for both, some rounds of one and as many of the other take
 * turns. Each has to come to the same result. Not thread-safe.
 */
final class Duel {
    /** Rounds of a turn. */
    private static final int TURN = 4;

    private final SparkRow row;
    private final SparkEffort effort;
    private final SparkApplication.Launcher launcher;
    private final List<ProcessHandle> servers;
    private final SparkProgress progress;

    private final List<SparkResult.Pair> pairs = new ArrayList<>();

    /** Of the results: of rounds, and of those that look at all bytes. */
    private final Map<Boolean, Long> digests = new HashMap<>();

    /**
     * A row that is not measured yet.
     *
     * @param servers of crail
     */
    Duel(
            SparkRow row,
            SparkEffort effort,
            SparkApplication.Launcher launcher,
            List<ProcessHandle> servers,
            SparkProgress progress) {
        this.row = row;
        this.effort = effort;
        this.launcher = launcher;
        this.servers = servers;
        this.progress = progress;
    }

    SparkResult run() throws IOException {
        MachineTime before = MachineTime.now();
        long memory =
                switch (row.living()) {
                    case TOGETHER -> warmPairs();
                    case ONE_ROUND -> coldPairs();
                    case IN_TURN -> pairsOfTurns();
                };
        double stolen = MachineTime.now().stolenSince(before);
        double load = ProcessorTime.load();
        double disk = alone(Side.VANILLA_DISK, row.vanilla());
        SparkResult.WithMemory more = null;
        if (effort.withMemory()) {
            Shape larger = row.vanilla().withMore(memory);
            double seconds = alone(Side.VANILLA_SHARED_MEMORY, larger);
            more = new SparkResult.WithMemory(seconds, larger.heapMebibytes());
        }
        return new SparkResult(row, List.copyOf(pairs), disk, more, memory, load, stolen);
    }

    /** Returns the memory that the servers take up. */
    private long warmPairs() throws IOException {
        try (SparkApplication vanilla = launcher.start(Side.VANILLA_SHARED_MEMORY, row.vanilla());
                SparkApplication crail = launcher.start(Side.CRAIL, row.crail())) {
            progress.step("start");
            vanilla.prepare(row.job());
            crail.prepare(row.crailJob());
            long start = System.nanoTime();
            for (int i = 0; isCold(i, start); i++) {
                progress.step("warm-up " + (i + 1));
                warmUp(vanilla, Side.VANILLA_SHARED_MEMORY, i);
                warmUp(crail, Side.CRAIL, i);
            }
            for (int i = 0; i < effort.pairs(); i++) {
                progress.step("pair " + (i + 1) + " of " + effort.pairs());
                pairs.add(pair(vanilla, crail));
            }
            return ServerMemory.bytes(servers);
        }
    }

    private long pairsOfTurns() throws IOException {
        long memory = 0;
        while (pairs.size() < effort.pairs()) {
            int rounds = Math.min(TURN, effort.pairs() - pairs.size());
            List<SparkResult.Turn> without;
            try (SparkApplication vanilla =
                    launcher.start(Side.VANILLA_SHARED_MEMORY, row.vanilla())) {
                without = turn(vanilla, row.job(), Side.VANILLA_SHARED_MEMORY, rounds);
            }
            try (SparkApplication crail = launcher.start(Side.CRAIL, row.crail())) {
                List<SparkResult.Turn> with = turn(crail, row.crailJob(), Side.CRAIL, rounds);
                for (int i = 0; i < rounds; i++) {
                    pairs.add(new SparkResult.Pair(without.get(i), with.get(i)));
                }
                memory = Math.max(memory, ServerMemory.bytes(servers));
            }
        }
        return memory;
    }

    private List<SparkResult.Turn> turn(
            SparkApplication application, Job job, Side side, int rounds) throws IOException {
        application.prepare(job);
        long start = System.nanoTime();
        for (int i = 0; isCold(i, start); i++) {
            progress.step("%s, warm-up %d".formatted(side.text(), i + 1));
            warmUp(application, side, i);
        }
        List<SparkResult.Turn> turn = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            progress.step(
                    "%s, round %d of %d"
                            .formatted(side.text(), pairs.size() + i + 1, effort.pairs()));
            turn.add(round(application, side));
        }
        return turn;
    }

    private long coldPairs() throws IOException {
        long memory = 0;
        for (int i = 0; i < effort.coldPairs(); i++) {
            progress.step("pair " + (i + 1) + " of " + effort.coldPairs());
            try (SparkApplication vanilla =
                            launcher.start(Side.VANILLA_SHARED_MEMORY, row.vanilla());
                    SparkApplication crail = launcher.start(Side.CRAIL, row.crail())) {
                vanilla.prepare(row.job());
                crail.prepare(row.crailJob());
                pairs.add(pair(vanilla, crail));
                memory = Math.max(memory, ServerMemory.bytes(servers));
            }
        }
        return memory;
    }

    /** Median of one application that has the machine for itself, in seconds. */
    private double alone(Side side, Shape shape) throws IOException {
        int rounds = row.cold() ? 1 : effort.others();
        double[] seconds = new double[rounds];
        try (SparkApplication application = launcher.start(side, shape)) {
            progress.step(side.text() + ", " + shape.heapMebibytes() + " MiB");
            application.prepare(row.job());
            for (int i = 0; !row.cold() && i < Math.min(2, effort.warmUps()); i++) {
                warmUp(application, side, i);
            }
            for (int i = 0; i < rounds; i++) {
                seconds[i] = round(application, side).seconds();
            }
        }
        return new Sample(seconds).median();
    }

    private boolean isCold(int rounds, long start) {
        return rounds < effort.warmUps() || System.nanoTime() - start < effort.warmUpNanos();
    }

    private SparkResult.Pair pair(SparkApplication vanilla, SparkApplication crail)
            throws IOException {
        SparkResult.Turn without = round(vanilla, Side.VANILLA_SHARED_MEMORY);
        SparkResult.Turn with = round(crail, Side.CRAIL);
        return new SparkResult.Pair(without, with);
    }

    /** The first round looks at all bytes. */
    private void warmUp(SparkApplication application, Side side, int number) throws IOException {
        if (number == 0) {
            Round round = application.round(true);
            application.clean();
            compare(true, round, side);
        } else {
            round(application, side);
        }
    }

    private SparkResult.Turn round(SparkApplication application, Side side) throws IOException {
        List<ProcessHandle> processes = application.processes();
        long ofApplication = ProcessorTime.nanos(processes);
        long ofServers = ProcessorTime.nanos(servers);
        Round round = application.round(false);
        ofApplication = ProcessorTime.nanos(processes) - ofApplication;
        ofServers = ProcessorTime.nanos(servers) - ofServers;
        application.clean();
        compare(false, round, side);
        double nanos = 1e9 * row.jobs();
        return new SparkResult.Turn(
                round.nanos() / nanos, ofApplication / nanos, ofServers / nanos);
    }

    private void compare(boolean whole, Round round, Side side) throws CorruptDataException {
        Long before = digests.putIfAbsent(whole, round.digest());
        if (before != null && before != round.digest()) {
            throw new CorruptDataException(
                    "row %s: the result of %s is another one than before (%x, not %x)"
                            .formatted(row.name(), side.text(), round.digest(), before));
        }
    }
}
