// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The small daemon thread of a client, for what is due at intervals: keep-alives. */
public final class Housekeeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final long JOIN_MILLIS = 2_000;

    /** What can wait a moment does, so that one keep-alive carries much. */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Semaphore changed = new Semaphore(0);
    private final AtomicBoolean hurried = new AtomicBoolean();
    private final AtomicBoolean urgent = new AtomicBoolean();
    private final Thread thread;
    private volatile @Nullable Runnable chore;
    private volatile long intervalMillis = 1_000;
    private final LongSupplier clock;
    private volatile boolean closed;

    /** When the chore is due; belongs to whoever takes turns, as does whether it is set. */
    private long next;

    private boolean begun;

    Housekeeper(String name, LongSupplier clock) {
        this.clock = clock;
        thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Runs a chore again and again, with pauses of an interval. */
    public void every(long millis, Runnable regular) {
        intervalMillis = Math.max(1, millis);
        chore = regular;
        changed.release();
    }

    /**
     * Runs the chore ahead of its time: within a moment, or at once. Costs nothing when it was
     * asked for already. Thread-safe.
     */
    public void hurry(boolean atOnce) {
        boolean news = hurried.compareAndSet(false, true);
        if (atOnce) {
            news |= urgent.compareAndSet(false, true);
        }
        if (news) {
            changed.release();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                if (changed.tryAcquire(turn(), TimeUnit.NANOSECONDS)) {
                    LOG.trace("Looking again at what is due.");
                }
            } catch (InterruptedException e) {
                LOG.trace("Woken to close.", e);
            }
        }
    }

    /** Runs the chore if it is due; returns nanoseconds until it is due next. */
    long turn() {
        long interval = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        long now = clock.getAsLong();
        if (!begun || urgent.get()) {
            next = now;
            begun = true;
        } else if (hurried.get() && next - now > MOMENT_NANOS) {
            next = now + MOMENT_NANOS;
        }
        if (next - now > interval) {
            next = now + interval;
        }
        if (next - now <= 0) {
            hurried.set(false);
            urgent.set(false);
            next = now + interval;
            runChore();
        }
        return next - now;
    }

    private void runChore() {
        Runnable regular = chore;
        if (regular == null || closed) {
            return;
        }
        try {
            regular.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A keep-alive failed because of a defect of the client.", e);
        }
    }

    /** Ends the thread and waits for it for a moment, unless it is the caller. */
    void close() {
        closed = true;
        thread.interrupt();
        if (thread != Thread.currentThread()) {
            join(thread);
        }
    }

    static void join(Thread thread) {
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MILLIS);
        while (thread.isAlive()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                LOG.warn("Thread {} of a closed client is still busy.", thread.getName());
                break;
            }
            try {
                thread.join(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
