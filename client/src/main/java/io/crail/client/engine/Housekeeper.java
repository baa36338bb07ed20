// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private volatile boolean closed;

    Housekeeper(String name) {
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
        once.add(new Once(System.nanoTime() + nanos, task));
        changed.release();
    }

    /** Runs what is due; returns the time of what is due next, at latest {@code last}. */
    private long runDue(long last) {
        Once first = once.peek();
        while (first != null && first.due() - System.nanoTime() <= 0 && !closed) {
            once.remove(first);
            first.task().run();
            first = once.peek();
        }
        return first == null || first.due() - last > 0 ? last : first.due();
    }

    @Override
    public void run() {
        long next = System.nanoTime();
        while (!closed) {
            try {
                long interval = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
                long now = System.nanoTime();
                if (next - now > interval) {
                    next = now + interval; // It has become shorter.
                }
                if (urgent.get()) {
                    next = now;
                } else if (hurried.get() && next - now > MOMENT_NANOS) {
                    next = now + MOMENT_NANOS;
                }
                long until = runDue(next);
                long pause = until - System.nanoTime();
                boolean woken = pause > 0 && changed.tryAcquire(pause, TimeUnit.NANOSECONDS);
                if (woken || until - next < 0) {
                    continue;
                }
                hurried.set(false);
                urgent.set(false);
                Runnable regular = chore;
                next = System.nanoTime() + interval;
                if (regular != null && !closed) {
                    regular.run();
                }
            } catch (InterruptedException e) {
                LOG.trace("Woken to close.", e);
            } catch (RuntimeException | Error e) {
                LOG.error("A keep-alive failed because of a defect of the client.", e);
            }
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
