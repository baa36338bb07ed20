// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Who drives an event loop while its driver carries out a command itself, in which it may be kept.
 *
 * <p>Each run has an odd number in one word, and whoever moves that word on owns the loop: the
 * driver when the run is over, or {@link #takeOver}, which another thread calls every 5 to 20
 * milliseconds, for a new driver if the run takes long. One compare-and-set decides. A driver that
 * lost leaves its slot in the mail when its run is over, and touches nothing else. All that the old
 * driver did is visible to the new one: it happened before the word was set. Until the old one is
 * back no command is run by the loop, so there are two threads at most.
 */
final class Lease {
    private static final long LONGEST_NANOS = 5_000_000;

    private final AtomicLong word = new AtomicLong();
    private volatile long since;
    private volatile boolean strays;
    private long seen;

    /** Whether a driver that lost the loop has not come back yet. */
    boolean isAstray() {
        return strays;
    }

    /** A run begins. By the driver. */
    long begin() {
        since = System.nanoTime();
        return word.incrementAndGet();
    }

    /**
     * The run is over. By the thread that began it.
     *
     * @return false if the loop has another driver
     */
    boolean end(long mine) {
        return word.compareAndSet(mine, mine + 1);
    }

    /** A driver that lost is through. */
    void isBack() {
        strays = false;
    }

    /** Whether a run has begun or ended since this was asked last. By that other thread. */
    boolean hasRun() {
        long now = word.get();
        boolean any = now != seen;
        seen = now;
        return any;
    }

    /** Takes the loop from a driver whose run takes long; whether that was so. By one thread. */
    boolean takeOver() {
        long running = word.get();
        if (running % 2 == 0 || System.nanoTime() - since < LONGEST_NANOS) {
            return false;
        }
        // Before the word moves: the old driver may come back at once.
        strays = true;
        if (word.compareAndSet(running, running + 1)) {
            return true;
        }
        strays = false;
        return false;
    }
}
