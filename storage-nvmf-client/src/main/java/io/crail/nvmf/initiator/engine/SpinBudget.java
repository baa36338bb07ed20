// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.concurrent.TimeUnit;

/**
 * How long a poller looks for messages before it sleeps: up to 400 us, which is a flash device and
 * the way to it, also where it is a virtual disk that takes 100 us by itself and is looked at for
 * 250 us by the target, and only while most looks find something. After looks in vain it sleeps at
 * once for a pause that doubles from 1 ms to 32 ms. Guarded by the poller's lock.
 */
final class SpinBudget {
    private static final long BUDGET_NANOS = TimeUnit.MICROSECONDS.toNanos(400);
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(32);

    /** After a stint that lost the core: so many times what it took. */
    private static final int DEAR_PAUSES = 16;

    private static final long MAX_DEAR_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** A miss weighs as much as so many finds. */
    private static final int MISS_WEIGHT = 4;

    private static final int MAX_CREDIT = 16;

    private int credit = MAX_CREDIT;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private long pausedUntil;
    private boolean paused;

    /** Nanoseconds to look for; 0: sleep at once. */
    long budget(long now) {
        if (paused && now - pausedUntil < 0) {
            return 0;
        }
        return BUDGET_NANOS;
    }

    /**
     * A stint of looks ended. One that took longer than its budget lost the core to somebody else,
     * for milliseconds: it was dearer than sleeping, whatever it found, and is not repeated for so
     * long that little is lost that way.
     */
    void ended(boolean found, long nanos) {
        boolean dear = nanos > 2 * BUDGET_NANOS;
        if (found && !dear) {
            paused = false;
            pauseNanos = MIN_PAUSE_NANOS;
            credit = Math.min(MAX_CREDIT, credit + 1);
            return;
        }
        credit = dear ? -1 : credit - MISS_WEIGHT;
        if (credit < 0) {
            credit = 0;
            paused = true;
            long pause = Math.max(pauseNanos, Math.min(MAX_DEAR_PAUSE_NANOS, nanos * DEAR_PAUSES));
            pausedUntil = System.nanoTime() + pause;
            pauseNanos = Math.min(MAX_PAUSE_NANOS, pauseNanos * 2);
        }
    }

    /** Lets others run who want the core, perhaps the target itself, instead of looking in vain. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing but speed depends on what the scheduler does
    static void yieldCore() {
        Thread.yield();
    }
}
