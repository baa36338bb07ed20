// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.ProcessorTime;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rounds of all applications of one row. What they come to has to be the same, whichever of them
 * does it. Not thread-safe.
 */
final class Rounds {
    private final SparkRow row;
    private final SparkEffort effort;

    /** Of the results: of rounds, and of those that look at all bytes. */
    private final Map<Boolean, Long> digests = new HashMap<>();

    /** Those of which a round came to the digest that rounds have. */
    private final Set<Side> sides = EnumSet.noneOf(Side.class);

    Rounds(SparkRow row, SparkEffort effort) {
        this.row = row;
        this.effort = effort;
    }

    /** Looks at what a round has left, before that is taken away. */
    @FunctionalInterface
    interface Look {
        /** Looks. */
        void look() throws IOException;
    }

    /** Rounds of an application that do not count. */
    void warmUp(SparkApplication application, Side side, SparkProgress progress)
            throws IOException {
        Settling settling = new Settling(effort);
        while (settling.goesOn()) {
            progress.step("%s, warm-up %d".formatted(side.text(), settling.done() + 1));
            warmUp(application, side, settling);
        }
    }

    /** Rounds of two applications that do not count, in turn, until both are warm. */
    void warmUp(
            SparkApplication one,
            Side ofOne,
            SparkApplication other,
            Side ofOther,
            SparkProgress progress)
            throws IOException {
        Settling first = new Settling(effort);
        Settling second = new Settling(effort);
        while (first.goesOn() || second.goesOn()) {
            progress.step("warm-up " + (first.done() + 1));
            warmUp(one, ofOne, first);
            warmUp(other, ofOther, second);
        }
    }

    /** A round that does not count. The first one looks at all bytes. */
    private void warmUp(SparkApplication application, Side side, Settling settling)
            throws IOException {
        boolean whole = settling.done() == 0;
        Round round = application.round(whole);
        application.clean();
        compare(whole, round, side);
        settling.add(round.nanos());
    }

    SparkResult.Turn round(SparkApplication application, Side side, List<ProcessHandle> servers)
            throws IOException {
        return round(application, side, servers, () -> {});
    }

    /**
     * A round.
     *
     * @param servers whose processor time counts, too
     */
    SparkResult.Turn round(
            SparkApplication application, Side side, List<ProcessHandle> servers, Look left)
            throws IOException {
        List<ProcessHandle> processes = application.processes();
        long ofApplication = ProcessorTime.nanos(processes);
        long ofServers = ProcessorTime.nanos(servers);
        Round round = application.round(false);
        ofApplication = ProcessorTime.nanos(processes) - ofApplication;
        ofServers = ProcessorTime.nanos(servers) - ofServers;
        left.look();
        application.clean();
        compare(false, round, side);
        double nanos = 1e9 * row.jobs();
        return new SparkResult.Turn(
                round.nanos() / nanos, ofApplication / nanos, ofServers / nanos);
    }

    /** Whether results of these two were compared; they are the same then. */
    boolean compared(Side one, Side other) {
        return sides.contains(one) && sides.contains(other);
    }

    private void compare(boolean whole, Round round, Side side) throws CorruptDataException {
        Long before = digests.putIfAbsent(whole, round.digest());
        if (before != null && before != round.digest()) {
            throw new CorruptDataException(
                    "row %s: the result of %s is another one than before (%x, not %x)"
                            .formatted(row.name(), side.text(), round.digest(), before));
        }
        if (!whole) {
            // All sides have such rounds, also where nothing is warmed up.
            sides.add(side);
        }
    }
}
