// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The small daemon thread of a client, for what is due at intervals: keep-alives; and for what is
 * due once and does not block.
 */
public final class Housekeeper implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);
    private static final long JOIN_MILLIS = 2_000;

    /** What can wait a moment does, so that one keep-alive carries much. */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private record Once(long due, Runnable task) {}

    private final PriorityBlockingQueue<Once> once =
            new PriorityBlockingQueue<>(11, (a, b) -> Long.signum(a.due() - b.due()));
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

    /** Runs a task once, after a time; not when the client is closed before. Thread-safe. */
    public void after(long nanos, Runnable task) {
        once.add(new Once(clock.getAsLong() + nanos, task));
        changed.release();
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

    /** Runs the chore and other tasks that are due; returns nanoseconds until one is due next. */
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
            Runnable regular = chore;
            if (regular != null) {
                run(regular);
            }
        }
        Once first = once.peek();
        while (first != null && first.due() - now <= 0) {
            once.remove(first);
            run(first.task());
            first = once.peek();
        }
        return Math.min(next - now, first == null ? interval : first.due() - now);
    }

    private void run(Runnable task) {
        if (closed) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A chore of a client failed because of a defect of it.", e);
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
