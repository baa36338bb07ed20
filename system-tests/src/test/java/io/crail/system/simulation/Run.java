// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.error.ErrorCode;
import io.crail.namenode.block.BlockMap;
import io.crail.protocol.message.Statistics.Capacity;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One run of a scenario, from an empty directory to an empty cluster. */
final class Run {
    private static final long BEFORE = TimeUnit.SECONDS.toNanos(3);
    private static final long RECOVERY = TimeUnit.SECONDS.toNanos(15);

    /** Clients begin nothing later, so that each call has an outcome before the audit. */
    static final long LAST_CALL =
            BEFORE + Scenario.HORIZON + RECOVERY - Limits.DEADLINE.toNanos() - 1_000_000_000;

    private static final long AUDIT = TimeUnit.SECONDS.toNanos(12);
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(250);

    /** Until sessions have ended, removed files are given up, and blocks are freed. */
    private static final long CLEARING = TimeUnit.SECONDS.toNanos(45);

    private final Scenario scenario;
    private final Cluster cluster;
    private final Timeline timeline;
    private final Journal journal;
    private final Workload workload;

    /**
     * How it went.
     *
     * @param trace hash of all events
     * @param events their number
     * @param operations calls whose outcome was seen
     * @param failed those of them that failed
     * @param errors with what
     * @param violations what must not be
     */
    record Outcome(
            long trace,
            long events,
            long operations,
            long failed,
            Set<ErrorCode> errors,
            List<String> violations) {}

    private Run(Scenario scenario, Path directory) {
        this.scenario = scenario;
        this.cluster = new Cluster(scenario, directory);
        this.timeline = cluster.timeline();
        this.journal = new Journal(timeline);
        this.workload = new Workload(cluster, journal);
    }

    /** Runs a scenario in an empty directory. */
    static Outcome of(Scenario scenario, Path directory) {
        Run run = new Run(scenario, directory);
        try {
            run.run();
        } finally {
            run.cluster.killAll();
            // Threads of killed servers come to their end.
            run.timeline.run(TimeUnit.SECONDS.toNanos(5));
        }
        return new Outcome(
                run.timeline.trace(),
                run.timeline.events(),
                run.journal.operations(),
                run.journal.failures(),
                run.journal.errors(),
                run.journal.violations());
    }

    private void run() {
        cluster.startAll();
        workload.prepare();
        timeline.run(BEFORE);
        journal.expectQuiet("preparing");
        for (Step step : scenario.steps()) {
            timeline.after(step.at(), () -> workload.perform(step));
        }
        for (Fault fault : scenario.faults()) {
            timeline.after(fault.at(), () -> cluster.strike(fault));
        }
        timeline.run(Scenario.HORIZON);
        timeline.run(RECOVERY);
        cluster.startAll();
        journal.expectAllDone();
        cluster.killClients();
        Cluster.start(cluster.auditor());
        workload.audit();
        runUntil(journal::isAllDone, AUDIT);
        workload.removeAll();
        runUntil(journal::isAllDone, AUDIT);
        journal.expectAllDone();
        runUntil(this::isAllFree, CLEARING);
        checkBlocks();
    }

    private void runUntil(BooleanSupplier condition, long atMost) {
        for (long passed = 0; passed < atMost; passed += MOMENT) {
            timeline.run(MOMENT);
            if (condition.getAsBoolean()) {
                return;
            }
        }
    }

    private boolean isAllFree() {
        Capacity capacity = cluster.namenode().blocks().capacity(0);
        return capacity.free() == capacity.capacity() && capacity.capacity() > 0;
    }

    /** With nothing left in the namespace, all blocks are free, seen from both sides. */
    private void checkBlocks() {
        BlockMap blocks = cluster.namenode().blocks();
        try {
            blocks.checkConservation();
        } catch (IllegalStateException e) {
            journal.violation(String.valueOf(e.getMessage()));
        }
        if (!isAllFree()) {
            journal.violation("blocks are not free though nothing is left: " + blocks.capacity(0));
        }
    }
}
