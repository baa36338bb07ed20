// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

/**
 * How long to spin before sleeping: long enough to catch an answer that usually comes soon, not at
 * all where answers take longer than a sleep costs or where there is one core only. Used by the
 * poller of the moment; a race on the average costs nothing but precision.
 */
final class SpinBudget {
    private static final long MAX_NANOS = 50_000;

    private final boolean spare = Runtime.getRuntime().availableProcessors() > 1;
    private volatile long averageNanos = 20_000;

    /** Nanoseconds to spin now. */
    long nanos() {
        long average = averageNanos;
        if (!spare || average > MAX_NANOS) {
            return 0;
        }
        return Math.min(MAX_NANOS, 2 * average);
    }

    /** Learns from a wait that ended with an event; long waits count as just too long. */
    void waited(long nanos) {
        long average = averageNanos;
        averageNanos = average + (Math.min(nanos, 4 * MAX_NANOS) - average) / 8;
    }
}
