// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.fence;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way of one association to the medium. An access to the medium is made between {@link #enter}
 * and {@link #exit}, by whatever thread.
 *
 * <p><b>Why nothing passes a closed gate.</b> One 64-bit word holds the closed flag and the number
 * of those inside, and changes by compare-and-set only. An entry succeeds by a CAS from a word
 * without the flag; {@link #close} sets the flag and nothing ever takes it away. All changes of one
 * word have one order: an entry is either before the closing, and then counted in the word that the
 * closing left behind, or after it, and then refused. So once the flag is set the number only
 * falls, and when it is zero no access is under way and none will ever begin. A thread that stands
 * still for any length of time stands still either before its CAS, and is refused when it goes on,
 * or inside, and is counted until it leaves. Time decides nothing.
 *
 * <p>Leaving happens after the system call has returned: a write that bypasses the page cache is
 * then in the device, one through it is in the cache and ordered before every later read or write
 * of the file. In neither case can it change the file afterwards.
 *
 * <p><b>Barrier.</b> {@link #barrier} waits for those who are inside now without keeping others out
 * (a reservation was preempted: later entries see that by themselves). Entries are counted in one
 * of two halves of the word; a barrier makes new ones use the other half, and waits for the old one
 * to be empty. A second barrier must not turn the halves back before that, so barriers take turns.
 *
 * <p>Waiting is bounded and holds no lock that an entry or an exit needs: a leaver takes the
 * monitor only if the word says that somebody waits.
 */
public final class Gate {
    /** What {@link #enter} returns when the gate is closed. */
    public static final int REFUSED = -1;

    private static final long CLOSED = 1L << 63;
    private static final long AWAITED = 1L << 62;
    private static final long SECOND_HALF = 1L << 61;
    private static final int HALF_BITS = 30;
    private static final long HALF_MASK = (1L << HALF_BITS) - 1;

    private final AtomicLong word = new AtomicLong();
    private final Object monitor = new Object();
    private final ReentrantLock barrierTurn = new ReentrantLock();

    /**
     * Begins an access.
     *
     * @return what to pass to {@link #exit}, or {@link #REFUSED}: then the medium must not be
     *     touched, and {@link #exit} not be called
     */
    public int enter() {
        while (true) {
            long now = word.get();
            if ((now & CLOSED) != 0) {
                return REFUSED;
            }
            int half = (now & SECOND_HALF) == 0 ? 0 : 1;
            if (word.compareAndSet(now, now + one(half))) {
                return half;
            }
        }
    }

    /** Ends an access; the medium must not be touched for it any more. */
    public void exit(int ticket) {
        long after = word.addAndGet(-one(ticket));
        if ((after & AWAITED) != 0 && inside(after, ticket) == 0) {
            synchronized (monitor) {
                monitor.notifyAll();
            }
        }
    }

    /** Lets nobody in any more, ever. Who is inside stays: see {@link #awaitEmpty}. */
    public void close() {
        word.getAndUpdate(now -> now | CLOSED);
    }

    public boolean isClosed() {
        return (word.get() & CLOSED) != 0;
    }

    /** Accesses under way. */
    public int inside() {
        long now = word.get();
        return inside(now, 0) + inside(now, 1);
    }

    /**
     * Waits until nobody is inside; of use only when the gate is closed.
     *
     * @param nanos how long at most
     * @return whether nobody is
     */
    public boolean awaitEmpty(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        return awaitHalf(0, deadline) && awaitHalf(1, deadline);
    }

    /**
     * Waits until all who are inside at the time of the call have left, whoever enters meanwhile.
     *
     * @param nanos how long at most
     * @return whether they have
     */
    public boolean barrier(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        if (!barrierTurn.tryLock(nanos, TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            int half = (word.get() & SECOND_HALF) == 0 ? 0 : 1;
            // The other half may still hold those whom a barrier that gave up left behind.
            if (!awaitHalf(1 - half, deadline)) {
                return false;
            }
            word.getAndUpdate(now -> now ^ SECOND_HALF);
            return awaitHalf(half, deadline);
        } finally {
            barrierTurn.unlock();
        }
    }

    private boolean awaitHalf(int half, long deadline) throws InterruptedException {
        synchronized (monitor) {
            while (true) {
                long now = word.updateAndGet(before -> before | AWAITED);
                if (inside(now, half) == 0) {
                    return true;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                // Rounded up: a wait of 0 ms would last for ever.
                monitor.wait(Math.min(left / 1_000_000 + 1, 1_000));
            }
        }
    }

    private static long one(int half) {
        return 1L << (half * HALF_BITS);
    }

    private static int inside(long word, int half) {
        return (int) ((word >>> (half * HALF_BITS)) & HALF_MASK);
    }
}
