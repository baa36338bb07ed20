// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.util.Arrays;

/** Times of single operations in nanoseconds. Not thread-safe. */
public final class Latencies {
    private final long[] nanos;
    private int count;
    private long total;

    public Latencies(int capacity) {
        nanos = new long[capacity];
    }

    public void add(long time) {
        nanos[count++] = time;
        total += time;
    }

    public int count() {
        return count;
    }

    public long total() {
        return total;
    }

    public double median() {
        return quantile(0.5);
    }

    /** The time that the given part of all operations did not exceed; 0 if there are none. */
    public double quantile(double part) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return count == 0 ? 0 : sorted[Math.min(count - 1, (int) (count * part))];
    }
}
