// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.polling;

/**
 * How long a waiting thread looks for an event before it goes to sleep.
 *
 * <p><b>Why look at all.</b> Waking a thread on another core takes 20 to 50 us here, a message over
 * loopback takes 4. Two peers that look find each other's messages at once; if only one looks, it
 * waits for the other to wake up. So both sides have to decide alike, from what each sees alone.
 *
 * <p><b>How.</b> Between two looks the thread yields its core ({@link #yieldCore}). Where it has
 * the core to itself that costs a fraction of a microsecond. Where the peer waits for the same core
 * the peer runs at once, and the message is there when the thread comes back: on one core this is
 * as fast as sleeping and being woken, so nobody has to know how many cores there are, or who else
 * is on them.
 *
 * <p><b>When.</b> By success. A wait that ends within {@link #BUDGET_NANOS} earns a credit, one
 * that does not costs {@value #COST}; without credit nobody looks. So looking goes on only while
 * about four of five waits are short: an answer that takes long, a peer that seldom asks, and a
 * third process that takes the core when it is yielded all end it. Then one wait is tried after
 * {@link #FIRST_PAUSE_NANOS}; each try that fails doubles the pause, to {@link
 * #LONGEST_PAUSE_NANOS} at most. A thread that expects nothing does not ask.
 *
 * <p><b>Bounds.</b> After the last event one budget is spent at most. In the long run at most one
 * wait of five spends its budget in vain while looking pays, and one budget per {@link
 * #LONGEST_PAUSE_NANOS} where it never does: 0.16 % of a core, or one time slice of whoever takes
 * the core when it is yielded. The pause is so short because a compiler that ran for a moment on
 * our core must not leave us slow for long after.
 *
 * <p>For one thread at a time; whoever hands it over sees to visibility.
 */
public final class SpinPolicy {
    /**
     * Longest look. Longer than the wake-up of a peer that still sleeps, so that one that begins to
     * look finds it, and they meet.
     */
    public static final long BUDGET_NANOS = 50_000;

    static final long FIRST_PAUSE_NANOS = 1_000_000;
    static final long LONGEST_PAUSE_NANOS = 32_000_000;

    private static final int COST = 4;
    private static final int FIRST_CREDIT = 2 * COST;
    private static final int MOST_CREDIT = 8 * COST;

    private final boolean looks;
    private int credit = FIRST_CREDIT;
    private long pause = FIRST_PAUSE_NANOS;
    private long nextTry;

    public SpinPolicy() {
        this(true);
    }

    /**
     * A policy.
     *
     * @param looks false never looks
     */
    public SpinPolicy(boolean looks) {
        this.looks = looks;
    }

    /** Nanoseconds for which to look now; 0 means to sleep at once. */
    public long budget(long nowNanos) {
        return looks && (credit > 0 || nowNanos - nextTry >= 0) ? BUDGET_NANOS : 0;
    }

    /** To be called between two looks: lets whoever waits for this core run first. */
    @SuppressWarnings("ThreadPriorityCheck") // speed depends on the scheduler, correctness does not
    public static void yieldCore() {
        Thread.yield();
    }

    /** The event came after so long a look; one that took longer than the budget is none. */
    public void found(long nowNanos, long lookedNanos) {
        if (lookedNanos > BUDGET_NANOS) {
            missed(nowNanos);
        } else if (credit == 0) {
            credit = COST;
            pause = Math.max(FIRST_PAUSE_NANOS, pause / 2);
        } else if (credit < MOST_CREDIT) {
            credit++;
            pause = credit == MOST_CREDIT ? FIRST_PAUSE_NANOS : pause;
        }
    }

    /** The budget was spent in vain. */
    public void missed(long nowNanos) {
        if (credit > COST) {
            credit -= COST;
            return;
        }
        boolean failedTry = credit == 0;
        credit = 0;
        pause = failedTry ? Math.min(2 * pause, LONGEST_PAUSE_NANOS) : pause;
        nextTry = nowNanos + pause;
    }
}
