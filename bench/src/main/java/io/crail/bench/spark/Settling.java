// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/**
 * The rounds of one application that do not count. Spark's own code is compiled for a dozen rounds
 * of a few seconds, in threads that take their time from the tasks: of GroupBy on two cores the
 * fourth round took 1.8 times as long as the fifteenth, and those in between became faster one by
 * one. So it goes on until rounds do not become faster any more, for a minute of them at most: of
 * long rounds a few are enough. Only the rounds of this application count, so that of two which
 * become warm in turn neither has less because of the other. {@link io.crail.bench.measure.WarmUp}
 * waits until compilers rest: here they still took a sixth of all processor time after two minutes.
 * Not thread-safe.
 */
final class Settling {
    /** A round that needs less than this part of the best one has become faster. */
    private static final double FASTER = 0.95;

    /** So many rounds in a row have to be no faster. */
    private static final int STEADY = 2;

    private final SparkEffort effort;
    private int done;
    private long taken;
    private int steady;
    private long best = Long.MAX_VALUE;

    Settling(SparkEffort effort) {
        this.effort = effort;
    }

    /** Number of rounds so far. */
    int done() {
        return done;
    }

    /** Whether one more is needed. */
    boolean goesOn() {
        if (done < effort.warmUps() || taken < effort.leastWarmUpNanos()) {
            return true;
        }
        return steady < STEADY && taken < effort.mostWarmUpNanos();
    }

    /** One is through, in so many nanoseconds. */
    void add(long nanos) {
        done++;
        taken += nanos;
        steady = nanos < FASTER * best ? 0 : steady + 1;
        best = Math.min(best, nanos);
    }
}
