// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

/**
 * How long an event loop looks for something to do before it sleeps. Waking a thread takes longer
 * than a message over loopback, so looking pays where requests follow closely, and only there: a
 * look that finds something earns a credit, one in vain costs several, and without credit one wait
 * in a while is tried. For one thread.
 */
final class Looking {
    private static final int COST = 4;
    private static final int MOST_CREDIT = 32;
    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 32_000_000;

    /** After a look that lost the core to somebody else: so many times what it took. */
    private static final int DEAR_PAUSES = 16;

    private static final long LONGEST_DEAR_PAUSE_NANOS = 200_000_000;

    private final long longest;
    private int credit = COST;
    private long pause = FIRST_PAUSE_NANOS;
    private long nextTry;

    /**
     * An account of looks.
     *
     * @param longest nanoseconds of the longest look
     */
    Looking(long longest) {
        this.longest = longest;
    }

    /** How long to look now; 0 to sleep at once. */
    long budget(long now) {
        return credit > 0 || now - nextTry >= 0 ? longest : 0;
    }

    /**
     * Something came while looking, which took that long. If the core was lost to somebody else
     * meanwhile, that was dearer than sleeping, and is not repeated for so long that little is lost
     * that way.
     */
    void found(long now, long nanos) {
        if (nanos > 2 * longest) {
            credit = 0;
            nextTry = now + Math.min(LONGEST_DEAR_PAUSE_NANOS, DEAR_PAUSES * nanos);
        } else {
            found();
        }
    }

    /** Something came while looking. */
    void found() {
        credit = Math.min(MOST_CREDIT, credit == 0 ? COST : credit + 1);
        if (credit == MOST_CREDIT) {
            pause = FIRST_PAUSE_NANOS;
        }
    }

    /** Nothing came within the budget. */
    void missed(long now) {
        boolean failedTry = credit == 0;
        credit = Math.max(0, credit - COST);
        if (credit == 0) {
            pause = failedTry ? Math.min(2 * pause, LONGEST_PAUSE_NANOS) : pause;
            nextTry = now + pause;
        }
    }
}
