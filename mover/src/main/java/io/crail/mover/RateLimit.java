// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bytes in a second. Who asks waits until what was given to others before is paid for: so pieces of
 * any size pass, and the average is kept. What was not used is lost, but for {@value #BURST_MILLIS}
 * ms: an idle mover does not save up for a rush. For one thread.
 */
final class RateLimit {
    private static final int BURST_MILLIS = 50;
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(BURST_MILLIS);

    /** Then the next piece goes, however low the limit is: a higher one may have been set. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LongSupplier clock;
    private final Pause pause;
    private long paidUntil;

    RateLimit(LongSupplier clock, Pause pause) {
        this.clock = clock;
        this.pause = pause;
        this.paidUntil = clock.getAsLong() - BURST_NANOS;
    }

    /**
     * Waits until so many bytes may pass.
     *
     * @param bytesPerSecond the limit; 0 = none
     */
    void acquire(long bytes, long bytesPerSecond) throws InterruptedException {
        if (bytesPerSecond <= 0) {
            paidUntil = clock.getAsLong() - BURST_NANOS;
            return;
        }
        long end = clock.getAsLong() + LONGEST_NANOS;
        long now = clock.getAsLong();
        while (paidUntil - now > 0 && end - now > 0) {
            pause.nanos(Math.min(paidUntil, end) - now);
            now = clock.getAsLong();
        }
        long from = Math.max(paidUntil, now - BURST_NANOS);
        paidUntil = from + (long) (bytes * 1e9 / bytesPerSecond);
    }
}
