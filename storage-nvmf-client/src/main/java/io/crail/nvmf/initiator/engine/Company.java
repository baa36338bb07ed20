// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was posted and waits for company, to leave in one write.
 *
 * <p>What is posted leaves at once, unless more is about to be posted: by a thread that hands out
 * completions, until it has handed out all; by one that waits for futures again and again, until it
 * waits the next time. If that does not come, the progress thread sends it after a millisecond or
 * two. It looks for what was left after it has announced itself as the poller, and the thread that
 * leaves something looks for the progress thread afterwards, so one of them sends it.
 *
 * <p>Thread-safe.
 */
final class Company {
    private final ConcurrentLinkedQueue<ChannelHandler> left = new ConcurrentLinkedQueue<>();

    /** The thread that posts several commands together; the last one, if there are more. */
    private volatile @Nullable Thread courier;

    /** The thread that waited last. */
    private volatile @Nullable Thread asker;

    boolean isEmpty() {
        return left.isEmpty();
    }

    /** A thread waits for the outcome of a command. */
    void asks(Thread thread) {
        if (asker != thread) {
            asker = thread;
        }
    }

    /** Runs what posts several commands: they leave together afterwards. */
    void together(Runnable posts) {
        Thread me = Thread.currentThread();
        boolean nested = courier == me;
        courier = me;
        try {
            posts.run();
        } finally {
            courier = nested ? me : null;
            if (!nested) {
                send();
            }
        }
    }

    /**
     * Leaves what the calling thread has posted.
     *
     * @param several whether other commands are on their way already: one that is alone never waits
     * @param progressPolls whether the progress thread is the poller now
     * @return false if it is to be sent now
     */
    boolean leave(ChannelHandler handler, boolean several, BooleanSupplier progressPolls) {
        Thread me = Thread.currentThread();
        if (courier == me) {
            left.add(handler);
            return true;
        }
        if (!several || asker != me || progressPolls.getAsBoolean()) {
            return false;
        }
        left.add(handler);
        return !progressPolls.getAsBoolean();
    }

    /** Sends what was left. */
    void send() {
        for (ChannelHandler each = left.poll(); each != null; each = left.poll()) {
            each.flush();
        }
    }
}
