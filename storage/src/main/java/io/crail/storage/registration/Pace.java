// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import java.util.concurrent.TimeUnit;

/**
 * When something that is rather done for many at once may be done again: at once after a pause, and
 * otherwise not before an interval has passed. Used by one thread.
 */
final class Pace {
    private final long intervalNanos;
    private long next;

    Pace(long intervalNanos, long now) {
        this.intervalNanos = intervalNanos;
        this.next = now;
    }

    boolean isDue(long now) {
        return now - next >= 0;
    }

    void begin(long now) {
        next = now + intervalNanos;
    }

    /** Milliseconds to wait, 0 if the rest is shorter than one. */
    long millisLeft(long now) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(next - now));
    }
}
