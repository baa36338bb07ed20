// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.Sample.Interval;
import java.util.Locale;

/**
 * What a row shall reach.
 *
 * @param speedup how many times as fast as vanilla Spark, or as what the row is compared with; 1 =
 *     not slower, less than 1 = slower by so much at most
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

    /** May take so many times as long, 1.5 for example. */
    static SparkTarget atMost(double times) {
        return new SparkTarget(1 / times);
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
        if (speedup < 1) {
            return String.format(Locale.ROOT, "<= %.1f", 1 / speedup);
        }
        return speedup == 1 ? "not slower" : ">= " + speedup;
    }
}
