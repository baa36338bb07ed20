// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import java.util.Arrays;

/** Times of single operations in nanoseconds. Not thread-safe. */
final class Latencies {
    private final long[] nanos;
    private int count;
    private long total;

    Latencies(int capacity) {
        nanos = new long[capacity];
    }

    void add(long time) {
        nanos[count++] = time;
        total += time;
    }

    int count() {
        return count;
    }

    long total() {
        return total;
    }

    double median() {
        return quantile(0.5);
    }

    /** The time that the given part of all operations did not exceed; 0 if there are none. */
    double quantile(double part) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return count == 0 ? 0 : sorted[Math.min(count - 1, (int) (count * part))];
    }
}
