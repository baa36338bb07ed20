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

    /** Less than a host tries for, of which both ends had slept. */
    private static final long LONGEST_PAUSE_NANOS = 8_000_000;

    /**
     * After a look that lost the core: so many times what it took, four times as many after each
     * further one, up to this.
     */
    private static final int MOST_DEAR_PAUSES = 16;

    private static final int DEARER = 4;

    /** As many finds in a row that were not dear mean that nobody else has the core. */
    private static final int CHEAP_FINDS = 8;

    private static final long LONGEST_DEAR_PAUSE_NANOS = 200_000_000;

    private final long longest;
    private int credit = COST;
    private long pause = FIRST_PAUSE_NANOS;
    private long nextTry;
    private int dearPauses = 1;
    private int cheapFinds;

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
     * Something came while looking, which took that long. If the core was lost meanwhile, that was
     * dearer than sleeping. To somebody else it will be lost again: looking is not repeated for so
     * long that little is lost that way. A hypervisor that has taken it for a moment will give it
     * back however one waits: so the first such pause is short.
     */
    void found(long now, long nanos) {
        if (nanos > 2 * longest) {
            credit = 0;
            nextTry = now + Math.min(LONGEST_DEAR_PAUSE_NANOS, dearPauses * nanos);
            dearPauses = Math.min(MOST_DEAR_PAUSES, DEARER * dearPauses);
            cheapFinds = 0;
        } else {
            if (++cheapFinds == CHEAP_FINDS) {
                dearPauses = 1;
            }
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
