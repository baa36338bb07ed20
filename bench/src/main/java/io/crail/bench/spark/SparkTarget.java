// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.Sample.Interval;

/**
 * What a row shall reach.
 *
 * @param speedup how many times as fast as vanilla Spark; 1 = not slower
 */
record SparkTarget(double speedup) {
    /** Up to this a difference is none: a row is slower if all of the interval is. */
    private static final double SAME = 1.03;

    static SparkTarget atLeast(double speedup) {
        return new SparkTarget(speedup);
    }

    static SparkTarget notSlower() {
        return new SparkTarget(1);
    }

    boolean met(double measured, Interval interval) {
        return speedup == 1 ? !isSlower(interval) : measured >= speedup;
    }

    /** Whether crail is slower than vanilla Spark, beyond doubt. */
    static boolean isSlower(Interval speedup) {
        return speedup.high() < 1 / SAME;
    }

    @Override
    public String toString() {
        return speedup == 1 ? "not slower" : ">= " + speedup;
    }
}
