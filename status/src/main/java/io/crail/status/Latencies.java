// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import java.util.concurrent.TimeUnit;

/**
 * A histogram of durations in fixed buckets: 1, 2 and 5 microseconds, and so on up to 10 seconds,
 * and the rest. The same buckets everywhere, so that servers can be summed.
 *
 * <p>One thread records, any thread reads; see {@link Tallies}. Recording is one shift, a table
 * look-up, at most two comparisons and two additions. As buckets and sum are read one after
 * another, a reader may see a record in one of them and not yet in the other.
 */
public final class Latencies {
    private static final long[] BOUNDS = bounds();

    /** For each number of significant bits of a duration: the first bucket that may hold it. */
    private static final byte[] FIRST = first();

    private static final int SUM = BOUNDS.length + 1;

    private final Tallies tallies = new Tallies(SUM + 1);

    private static long[] bounds() {
        long[] bounds = new long[22];
        long decade = TimeUnit.MICROSECONDS.toNanos(1);
        for (int i = 0; i < bounds.length; i += 3) {
            bounds[i] = decade;
            if (i + 2 < bounds.length) {
                bounds[i + 1] = 2 * decade;
                bounds[i + 2] = 5 * decade;
            }
            decade *= 10;
        }
        return bounds;
    }

    private static byte[] first() {
        byte[] first = new byte[Long.SIZE];
        for (int bits = 1; bits < Long.SIZE; bits++) {
            long smallest = 1L << (bits - 1);
            byte bucket = 0;
            while (bucket < BOUNDS.length && BOUNDS[bucket] < smallest) {
                bucket++;
            }
            first[bits] = bucket;
        }
        return first;
    }

    /** Number of buckets, with the one of what is longer than all bounds. */
    static int buckets() {
        return BOUNDS.length + 1;
    }

    /** Upper bound of a bucket, inclusive, in nanoseconds; not of the last one. */
    static long bound(int bucket) {
        return BOUNDS[bucket];
    }

    /** Records a duration; for the one writing thread. A clock that went back counts as 0. */
    public void record(long nanos) {
        long duration = Math.max(0, nanos);
        int bucket = FIRST[Long.SIZE - Long.numberOfLeadingZeros(duration)];
        while (bucket < BOUNDS.length && BOUNDS[bucket] < duration) {
            bucket++;
        }
        tallies.add(bucket, 1);
        tallies.add(SUM, duration);
    }

    long count(int bucket) {
        return tallies.get(bucket);
    }

    long sumNanos() {
        return tallies.get(SUM);
    }

    /** Sums histograms of several threads. Not thread-safe. */
    public static final class Total {
        private final long[] counts = new long[buckets()];
        private long sumNanos;

        public Total add(Latencies one) {
            for (int i = 0; i < counts.length; i++) {
                counts[i] += one.count(i);
            }
            sumNanos += one.sumNanos();
            return this;
        }

        long[] counts() {
            return counts;
        }

        double sumSeconds() {
            return sumNanos / 1e9;
        }
    }
}
