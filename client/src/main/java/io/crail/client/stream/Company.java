// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.protocol.polling.SpinPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether a thread that asks waits for others that are about to ask, so that one write carries the
 * requests of all, one turn of the server answers them, and one read brings the answers.
 *
 * <p><b>Who is due.</b> A thread that makes one blocking call after the other asks again soon after
 * it was answered. So those that were answered and have not asked since are counted ({@code due}).
 * Who asks while it is the only one goes at once; else it waits until nobody is due, for {@link
 * #PATIENCE_NANOS} at most. That is what the write costs which it may save, so a wait in vain costs
 * no more than not waiting. Meanwhile it yields its core: threads that have to share one come to
 * ask while the first of them waits.
 *
 * <p><b>How they come together.</b> The server reads at once what arrived during its last turn, and
 * answers that by one write. Threads whose answers came together stay together from then on, and
 * more join them.
 *
 * <p><b>Who does not come back</b> is due until somebody waited for it in vain, or asks in its
 * stead. After each wait in vain twice as many waits as before are left out, {@value
 * #MOST_LEFT_OUT} at most. So threads that think for long between their calls hardly ever wait.
 *
 * <p>The counters steer how long to wait and nothing else: a mistake costs a wait or a write.
 * Thread-safe.
 */
final class Company {
    /** About the time of a write of one small request. */
    static final long PATIENCE_NANOS = 4_000;

    static final int MOST_LEFT_OUT = 63;

    private final LongSupplier clock;
    private final AtomicInteger due = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Waits to be left out before the next one. */
    private final AtomicInteger toLeaveOut = new AtomicInteger();

    /** What is left out after the next wait in vain. */
    private volatile int penalty;

    /**
     * @param clock in nanoseconds
     */
    Company(LongSupplier clock) {
        this.clock = clock;
    }

    /** So many threads get the answers that they wait for. */
    void answered(int threads) {
        due.addAndGet(threads);
    }

    /** Whether a thread that asks now has nobody to wait for, and nobody waits for it. */
    boolean isAlone() {
        return due.get() <= 1 && waiting.get() == 0;
    }

    /** The calling thread asks. */
    void asks() {
        int left = due.get();
        while (left > 0 && !due.compareAndSet(left, left - 1)) {
            left = due.get();
        }
    }

    /**
     * Waits for those who are due; to be called after {@link #asks}.
     *
     * @param gone what the calling thread asks is on its way
     */
    void await(BooleanSupplier gone) {
        if (due.get() == 0 || isLeftOut()) {
            return;
        }
        waiting.incrementAndGet();
        try {
            long start = clock.getAsLong();
            long waited = 0;
            boolean together = false;
            while (!together && waited < PATIENCE_NANOS) {
                SpinPolicy.yieldCore();
                together = due.get() == 0 || gone.getAsBoolean();
                waited = clock.getAsLong() - start;
            }
            learn(together && waited < SpinPolicy.BUDGET_NANOS);
        } finally {
            waiting.decrementAndGet();
        }
    }

    private boolean isLeftOut() {
        int left = toLeaveOut.get();
        return left > 0 && toLeaveOut.compareAndSet(left, left - 1);
    }

    private void learn(boolean wasWorthIt) {
        if (wasWorthIt) {
            penalty = 0;
        } else {
            due.set(0);
            int longer = Math.min(2 * penalty + 1, MOST_LEFT_OUT);
            penalty = longer;
            toLeaveOut.set(longer);
        }
    }
}
