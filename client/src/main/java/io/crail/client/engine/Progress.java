// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that polls when nobody else does, so that what nobody waits for goes on: asynchronous
 * calls, blocks under way in a stream. It starts with the first of them.
 *
 * <p>It is the poller of last resort. A thread that waits for its own result is faster when it
 * polls itself, so this one leaves as soon as such a thread shows up, and then looks only every
 * millisecond whether it is needed again. Without anything under way it sleeps.
 */
final class Progress implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int IDLE_LOOKS = 50;

    private final Engine engine;
    private final String name;
    private final boolean hasThread;
    private final AtomicInteger background = new AtomicInteger();
    private volatile @Nullable Thread thread;
    private volatile boolean sleeping;
    private volatile boolean closed;

    /** Rounds of other pollers at the last look; if there were some since, they will go on. */
    private long roundsSeen;

    /**
     * @param hasThread if not, whoever drives the engine does what the thread would
     */
    Progress(Engine engine, String name, boolean hasThread) {
        this.engine = engine;
        this.name = name;
        this.hasThread = hasThread;
    }

    /** Something is under way that nobody may be waiting for. */
    void retain() {
        if ((background.getAndIncrement() == 0 && sleeping) || thread == null) {
            wake();
        }
    }

    void release() {
        int left = background.decrementAndGet();
        assert left >= 0;
    }

    /** The progress thread, or the given one if there is none. */
    Thread threadOrSelf(Thread self) {
        Thread current = thread;
        return current == null ? self : current;
    }

    boolean isNeeded() {
        return background.get() > 0 && !closed;
    }

    /** Makes the thread look around; starts it if there is none. */
    void wake() {
        Thread current = thread;
        if (current == null) {
            start();
        } else if (current != Thread.currentThread()) {
            LockSupport.unpark(current);
        }
    }

    private synchronized void start() {
        if (thread == null && !closed && hasThread) {
            Thread started = new Thread(this, name);
            started.setDaemon(true);
            thread = started;
            started.start();
        }
    }

    @Override
    public void run() {
        int idle = 0;
        while (!closed) {
            idle = turn(idle);
            // Nobody has a reason to interrupt this thread; a dependent may have done so to itself.
            boolean ignored = Thread.interrupted();
        }
    }

    /** One look around; returns how many looks in a row have found nothing to do. */
    private int turn(int idleBefore) {
        int idle = idleBefore;
        try {
            boolean worked = engine.runReady();
            if (isNeeded()) {
                boolean othersPoll = engine.pollerRounds() != roundsSeen;
                boolean polled = !othersPoll && engine.pollForOthers();
                roundsSeen = engine.pollerRounds();
                if (!polled) {
                    LockSupport.parkNanos(this, LOOK_NANOS);
                }
                return 0;
            }
            if (worked || idle < IDLE_LOOKS) {
                LockSupport.parkNanos(this, LOOK_NANOS);
                idle = worked ? 0 : idle + 1;
            } else {
                sleep();
            }
            roundsSeen = engine.pollerRounds();
            return idle;
        } catch (RuntimeException | Error e) {
            LOG.error("The progress thread goes on after a failure.", e);
            LockSupport.parkNanos(this, LOOK_NANOS);
            return 0;
        }
    }

    private void sleep() {
        sleeping = true;
        // Announced first, looked second: see the comment of Strand.
        if (!engine.hasReady() && !isNeeded() && !closed) {
            LockSupport.park(this);
        }
        sleeping = false;
    }

    /** Ends the thread and waits for it for a moment, unless it is the caller. */
    void close() {
        Thread current;
        synchronized (this) {
            closed = true;
            current = thread;
        }
        if (current == null || current == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(current);
        engine.wakePoller();
        Housekeeper.join(current);
    }
}
