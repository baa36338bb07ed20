// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.concurrent.TimeUnit;

/**
 * How long a poller looks for messages before it sleeps: up to 400 us, which is a flash device and
 * the way to it, also where it is a virtual disk that takes 100 us by itself and is looked at for
 * 250 us by the target, and only while most looks find something. After looks in vain it sleeps at
 * once for a pause that doubles from 1 ms to 32 ms.
 *
 * <p>Two ends that sleep keep each other asleep where it takes long to wake a processor: an answer
 * takes 600 us then instead of 120, so looks are in vain, at both ends. So after a pause it tries
 * longer, for up to sixteen answers of up to a millisecond: the target, which hears the next
 * command at once, tries within that time, too. If that has not helped the pause doubles up to 256
 * ms, since answers do take so long. Guarded by the poller's lock.
 */
final class SpinBudget {
    private static final long BUDGET_NANOS = TimeUnit.MICROSECONDS.toNanos(400);
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(32);
    private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Looks that found something, but late, until the try was in vain. */
    private static final int TRIES = 16;

    private static final long MAX_PAUSE_AFTER_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(256);

    /**
     * After a stint that lost the core: so many times what it took, four times as many after each
     * further one, up to this.
     */
    private static final int MAX_DEAR_PAUSES = 16;

    private static final int DEARER = 4;

    /** As many finds in a row that were not dear mean that nobody else has the core. */
    private static final int CHEAP_FINDS = 8;

    private static final long MAX_DEAR_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A miss weighs as much as so many finds. */
    private static final int MISS_WEIGHT = 4;

    private static final int MAX_CREDIT = 16;

    private int credit = MAX_CREDIT;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private long pausedUntil;
    private boolean paused;
    private int dearPauses = 1;
    private int cheapFinds;
    private int lateFinds;

    /** Nanoseconds to look for; 0: sleep at once. */
    long budget(long now) {
        if (paused) {
            return now - pausedUntil < 0 ? 0 : TRY_NANOS;
        }
        return BUDGET_NANOS;
    }

    /**
     * A stint of looks ended. One that took longer than its budget lost the core, for milliseconds:
     * it was dearer than sleeping, whatever it found. To somebody else the core will be lost again:
     * looking is not repeated for so long that little is lost that way. A hypervisor that has taken
     * it for a moment will give it back however one waits: so the first such pause is short.
     */
    void ended(boolean found, long nanos) {
        if (nanos > 2 * (paused ? TRY_NANOS : BUDGET_NANOS)) {
            pause(Math.min(MAX_DEAR_PAUSE_NANOS, nanos * dearPauses), MAX_PAUSE_NANOS);
            dearPauses = Math.min(MAX_DEAR_PAUSES, dearPauses * DEARER);
            cheapFinds = 0;
        } else if (found && paused && nanos > BUDGET_NANOS) {
            if (++lateFinds == TRIES) {
                pause(0, MAX_PAUSE_AFTER_TRIES_NANOS);
            }
        } else if (found) {
            paused = false;
            pauseNanos = MIN_PAUSE_NANOS;
            lateFinds = 0;
            credit = Math.min(MAX_CREDIT, credit + 1);
            if (++cheapFinds == CHEAP_FINDS) {
                dearPauses = 1;
            }
        } else {
            credit -= MISS_WEIGHT;
            if (credit < 0) {
                pause(0, MAX_PAUSE_NANOS);
            }
        }
    }

    private void pause(long least, long most) {
        credit = 0;
        lateFinds = 0;
        paused = true;
        pausedUntil = System.nanoTime() + Math.max(pauseNanos, least);
        pauseNanos = Math.max(pauseNanos, Math.min(most, pauseNanos * 2));
    }

    /** Lets others run who want the core, perhaps the target itself, instead of looking in vain. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing but speed depends on what the scheduler does
    static void yieldCore() {
        Thread.yield();
    }
}
