// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.statistics;

import static org.apache.hadoop.fs.statistics.StoreStatisticNames.SUFFIX_FAILURES;
import static org.apache.hadoop.fs.statistics.StoreStatisticNames.SUFFIX_MAX;
import static org.apache.hadoop.fs.statistics.StoreStatisticNames.SUFFIX_MEAN;
import static org.apache.hadoop.fs.statistics.StoreStatisticNames.SUFFIX_MIN;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.statistics.MeanStatistic;
import org.apache.hadoop.fs.statistics.impl.DynamicIOStatisticsBuilder;

/**
 * Calls of one operation. Thread-safe, without a lock: each number is kept apart, so that they may
 * differ by calls that are just ending.
 */
final class OperationTimes {
    private static final long NONE = Long.MAX_VALUE;

    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder successes = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator shortest = new LongAccumulator(Math::min, NONE);
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

    void called() {
        calls.increment();
    }

    void succeeded(long duration) {
        successes.increment();
        nanos.add(duration);
        shortest.accumulate(duration);
        longest.accumulate(duration);
    }

    void failed() {
        failures.increment();
    }

    /** Durations are in milliseconds, as all of Hadoop's; a mean of less than one shows, too. */
    void publish(String key, DynamicIOStatisticsBuilder statistics) {
        statistics
                .withLongFunctionCounter(key, any -> calls.sum())
                .withLongFunctionCounter(key + SUFFIX_FAILURES, any -> failures.sum())
                .withLongFunctionMinimum(key + SUFFIX_MIN, any -> shortest())
                .withLongFunctionMaximum(key + SUFFIX_MAX, any -> millis(longest.get()))
                .withMeanStatisticFunction(
                        key + SUFFIX_MEAN,
                        any -> new MeanStatistic(successes.sum(), millis(nanos.sum())));
    }

    /** Of none there is no shortest one: Hadoop's word for that is -1. */
    private long shortest() {
        long found = shortest.get();
        return found == NONE ? -1 : millis(found);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
