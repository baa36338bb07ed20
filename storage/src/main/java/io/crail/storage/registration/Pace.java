// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import java.util.concurrent.TimeUnit;

/**
 * When something that is rather done for many at once may be done again: at once after a pause, and
 * otherwise not before an interval has passed, which is short where there is much to do. Used by
 * one thread.
 */
final class Pace {
    private final long intervalNanos;
    private final long shortNanos;
    private long begun;
    private long next;

    /**
     * @param intervalNanos usual interval
     * @param shortNanos interval after {@link #hurry}
     */
    Pace(long intervalNanos, long shortNanos, long now) {
        this.intervalNanos = intervalNanos;
        this.shortNanos = shortNanos;
        this.begun = now;
        this.next = now;
    }

    boolean isDue(long now) {
        return now - next >= 0;
    }

    void begin(long now) {
        begun = now;
        next = now + intervalNanos;
    }

    /** There was much to do this time: the next one comes sooner. */
    void hurry() {
        if (next - begun > shortNanos) {
            next = begun + shortNanos;
        }
    }

    /** Milliseconds to wait, 0 if the rest is shorter than one. */
    long millisLeft(long now) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(next - now));
    }
}
