// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.io.IOException;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * How an event loop waits for something to do: for mail, for its sockets, and for its reads. It
 * looks for a while where that pays ({@link Looking}), and sleeps then.
 *
 * <p>Belongs to the driver of the loop; only {@link #wake} is for others. A loop that is about to
 * sleep says where and looks at its mail once more; who leaves mail looks afterwards whether the
 * loop sleeps: volatile on both sides, so one of the two sees the other, and a wake-up that comes
 * early stays.
 */
final class Waiting {
    private static final long LONGEST_SLEEP_MILLIS = 1_000;

    /**
     * Longest look for commands. A host that waits for a medium sleeps, most likely: it has to be
     * woken, and has something to do, before its next command comes. This is longer than that
     * takes.
     */
    private static final long COMMANDS_NANOS = 100_000;

    /**
     * Longest look for reads. It has to be well beyond what a medium takes, or both ends sleep: a
     * virtual disk takes 75 to 100 us when it is not disturbed.
     */
    private static final long READS_NANOS = 250_000;

    /** Between looks at sockets, while reads are under way. */
    private static final long SHORTEST_PAUSE_NANOS = 25_000;

    private static final long LONGEST_PAUSE_NANOS = 1_000_000;

    /**
     * Every such look is at all sockets, the ones between at the socket that was heard last: the
     * others wait for some tens of microseconds longer.
     */
    private static final int LOOKS_BEFORE_SELECT = 16;

    /**
     * While reads are under way every such look is at sockets, too. What ends is seen sooner so,
     * and the device has something to do meanwhile.
     */
    private static final int LOOKS_AT_READS = 4;

    /** Where the loop is. */
    private enum Place {
        AWAKE,
        AT_SOCKETS,
        AT_READS
    }

    private final Selector selector;
    private final LastHeard lastHeard;
    private final Mailbox mail;
    private final @Nullable RingReads reads;

    /**
     * While a slow medium has all commands of a host looks are in vain, and its next ones come at
     * once when they are answered: so each of these waits has an account of its own.
     */
    private final Looking lookingForCommands = new Looking(COMMANDS_NANOS);

    private final Looking lookingForReads = new Looking(READS_NANOS);
    private volatile Place place = Place.AWAKE;
    private int looks;

    Waiting(Selector selector, LastHeard lastHeard, Mailbox mail, @Nullable RingReads reads) {
        this.selector = selector;
        this.lastHeard = lastHeard;
        this.mail = mail;
        this.reads = reads;
    }

    /** There is mail. Any thread. */
    void wake() {
        Place now = place;
        if (now == Place.AT_SOCKETS) {
            selector.wakeup();
        } else if (now == Place.AT_READS && reads != null) {
            reads.wakeup();
        }
    }

    /**
     * Selects what is ready, and fetches reads that have ended into the mail; waits for something
     * to do unless there is.
     */
    void await(boolean busy) throws IOException {
        if (reads != null) {
            reads.poll();
        }
        if (busy || !mail.isEmpty()) {
            selector.selectNow();
        } else if (!look()) {
            sleep();
        }
    }

    /** Whether something came before the budget was spent. */
    @SuppressWarnings("ThreadPriorityCheck") // speed depends on the scheduler, correctness does not
    private boolean look() throws IOException {
        if (!selector.selectedKeys().isEmpty()) {
            return true; // seen by the check for company
        }
        if (reads != null && reads.isLongUnderWay()) {
            return false; // looks would be in vain, and take processors that the device may need
        }
        boolean atReads = reads != null && reads.underWay() > 0;
        Looking looking = atReads ? lookingForReads : lookingForCommands;
        int looksPerInput = atReads ? LOOKS_AT_READS : 1;
        int turn = 0;
        long start = System.nanoTime();
        long budget = looking.budget(start);
        if (budget == 0) {
            return false;
        }
        long now = start;
        do {
            Thread.yield();
            if (hasRead() || (++turn % looksPerInput == 0 && (hasInput() || hasRead()))) {
                now = System.nanoTime();
                looking.found(now, now - start);
                return true;
            }
            now = System.nanoTime();
        } while (now - start < budget);
        looking.missed(now);
        return false;
    }

    /**
     * Whether there is mail, such as of reads that have ended. It costs no system call, so it is
     * asked again before the core is offered to others, of whom one may take it.
     */
    private boolean hasRead() {
        if (reads != null) {
            reads.poll();
        }
        return !mail.isEmpty();
    }

    /** However much comes from the one that was heard last, the others have their turn. */
    private boolean hasInput() throws IOException {
        boolean all = !lastHeard.isKnown() || ++looks % LOOKS_BEFORE_SELECT == 0;
        return all ? selector.selectNow() > 0 : lastHeard.look();
    }

    private void sleep() throws IOException {
        if (reads != null && reads.underWay() > 0) {
            sleepForReads(reads);
            return;
        }
        place = Place.AT_SOCKETS;
        try {
            if (mail.isEmpty()) {
                selector.select(LONGEST_SLEEP_MILLIS);
            } else {
                selector.selectNow();
            }
        } finally {
            place = Place.AWAKE;
        }
    }

    /**
     * One thread cannot wait for sockets and a ring. While reads are under way it waits for these,
     * and looks at its sockets after pauses that become longer.
     */
    private void sleepForReads(RingReads mine) throws IOException {
        long pause = SHORTEST_PAUSE_NANOS;
        place = Place.AT_READS;
        try {
            while (mail.isEmpty() && mine.underWay() > 0 && selector.selectNow() == 0) {
                mine.await(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            }
        } finally {
            place = Place.AWAKE;
        }
    }
}
