// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.MachineTime;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.measure.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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

    private final Rounds rounds;

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
        this.rounds = new Rounds(row, effort);
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
        Sample disk = alone(Side.VANILLA_DISK, row.vanilla());
        SparkResult.WithMemory more = null;
        if (effort.withMemory()) {
            Shape larger = row.vanilla().withMore(memory);
            Sample seconds = alone(Side.VANILLA_SHARED_MEMORY, larger);
            more = new SparkResult.WithMemory(seconds, larger.heapMebibytes());
        }
        return new SparkResult(
                row,
                pairs,
                rounds.compared(Side.VANILLA_SHARED_MEMORY, Side.CRAIL),
                disk,
                more,
                memory,
                load,
                stolen);
    }

    /** Returns the memory that the servers take up. */
    private long warmPairs() throws IOException {
        try (SparkApplication vanilla = launcher.start(Side.VANILLA_SHARED_MEMORY, row.vanilla());
                SparkApplication crail = launcher.start(Side.CRAIL, row.crail())) {
            progress.step("start");
            vanilla.prepare(row.job());
            crail.prepare(row.crailJob());
            rounds.warmUp(vanilla, Side.VANILLA_SHARED_MEMORY, crail, Side.CRAIL, progress);
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
            int next = Math.min(TURN, effort.pairs() - pairs.size());
            List<SparkResult.Turn> without;
            try (SparkApplication vanilla =
                    launcher.start(Side.VANILLA_SHARED_MEMORY, row.vanilla())) {
                without = turn(vanilla, row.job(), Side.VANILLA_SHARED_MEMORY, next);
            }
            try (SparkApplication crail = launcher.start(Side.CRAIL, row.crail())) {
                List<SparkResult.Turn> with = turn(crail, row.crailJob(), Side.CRAIL, next);
                for (int i = 0; i < next; i++) {
                    pairs.add(new SparkResult.Pair(without.get(i), with.get(i)));
                }
                memory = Math.max(memory, ServerMemory.bytes(servers));
            }
        }
        return memory;
    }

    private List<SparkResult.Turn> turn(
            SparkApplication application, Job job, Side side, int number) throws IOException {
        application.prepare(job);
        rounds.warmUp(application, side, progress);
        List<SparkResult.Turn> turn = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            progress.step(
                    "%s, round %d of %d"
                            .formatted(side.text(), pairs.size() + i + 1, effort.pairs()));
            turn.add(rounds.round(application, side, servers));
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

    /** Seconds of rounds of an application that has the machine for itself. */
    private Sample alone(Side side, Shape shape) throws IOException {
        double[] seconds = new double[effort.others()];
        if (row.cold()) {
            for (int i = 0; i < seconds.length; i++) {
                alone(side, shape, seconds, i, i + 1);
            }
        } else {
            alone(side, shape, seconds, 0, seconds.length);
        }
        return new Sample(seconds);
    }

    /** Those from one number to another, of one application. */
    private void alone(Side side, Shape shape, double[] seconds, int from, int to)
            throws IOException {
        try (SparkApplication application = launcher.start(side, shape)) {
            progress.step(side.text() + ", " + shape.heapMebibytes() + " MiB");
            application.prepare(row.job());
            if (!row.cold()) {
                rounds.warmUp(application, side, progress);
            }
            for (int i = from; i < to; i++) {
                seconds[i] = rounds.round(application, side, servers).seconds();
            }
        }
    }

    private SparkResult.Pair pair(SparkApplication vanilla, SparkApplication crail)
            throws IOException {
        SparkResult.Turn without = rounds.round(vanilla, Side.VANILLA_SHARED_MEMORY, servers);
        SparkResult.Turn with = rounds.round(crail, Side.CRAIL, servers);
        return new SparkResult.Pair(without, with);
    }
}
