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

    /** Ten years, so that times can be compared. */
    private static final double LONGEST_NANOS = 3.2e17;

    private final LongSupplier clock;
    private final Pause pause;
    private long paidUntil;

    /** Under which that is so; 0 = none. */
    private long limit;

    RateLimit(LongSupplier clock, Pause pause) {
        this.clock = clock;
        this.pause = pause;
        this.paidUntil = clock.getAsLong() - BURST_NANOS;
    }

    /**
     * How long until something may pass, in nanoseconds; 0 = now. What was given under another
     * limit is paid at this one.
     *
     * @param bytesPerSecond the limit; 0 = none
     */
    long owedNanos(long bytesPerSecond) {
        long now = clock.getAsLong();
        if (bytesPerSecond <= 0) {
            paidUntil = now - BURST_NANOS;
        } else if (paidUntil - now > 0 && bytesPerSecond != limit) {
            paidUntil = now + nanos((paidUntil - now) * ((double) limit / bytesPerSecond));
        }
        limit = bytesPerSecond;
        return Math.max(0, paidUntil - now);
    }

    /**
     * Waits until so many bytes may pass.
     *
     * @param bytesPerSecond the limit; 0 = none
     */
    void acquire(long bytes, long bytesPerSecond) throws InterruptedException {
        long owed = owedNanos(bytesPerSecond);
        while (owed > 0) {
            pause.nanos(owed);
            owed = owedNanos(bytesPerSecond);
        }
        if (bytesPerSecond > 0) {
            long from = Math.max(paidUntil, clock.getAsLong() - BURST_NANOS);
            paidUntil = from + nanos(bytes * 1e9 / bytesPerSecond);
        }
    }

    private static long nanos(double nanos) {
        return (long) Math.min(nanos, LONGEST_NANOS);
    }
}
