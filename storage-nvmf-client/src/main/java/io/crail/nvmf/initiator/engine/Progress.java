// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The poller of last resort: a daemon thread that polls when no waiting thread does, so that
 * asynchronous commands complete, keep-alives are sent and lost connections are noticed. A thread
 * that waits for its own command is faster when it polls itself, so this one leaves as soon as one
 * shows up, and then looks every millisecond whether anybody polled since, and takes the place
 * again after one to sixteen looks without.
 */
final class Progress implements Runnable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A stint that ends sooner was in vain. */
    private static final long SHORT_STINT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int MAX_PATIENCE = 16;

    private final Engine engine;
    private final Thread thread;
    private volatile boolean closed;

    Progress(Engine engine, String name) {
        this.engine = engine;
        this.thread = new Thread(this, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    boolean isThread(@Nullable Thread candidate) {
        return candidate == thread;
    }

    @Override
    public void run() {
        int patience = 1;
        while (!closed) {
            long start = System.nanoTime();
            engine.pollForOthers();
            // Where a waiting thread wants the place back soon, handing it over costs more than it
            // gains: next time it is left empty for longer.
            boolean inVain = System.nanoTime() - start < SHORT_STINT_NANOS;
            patience = inVain ? Math.min(MAX_PATIENCE, patience * 2) : 1;
            waitForNeed(patience);
        }
    }

    /** Until nobody has polled for so many looks. */
    private void waitForNeed(int looks) {
        int quiet = 0;
        while (!closed && quiet < looks) {
            long before = engine.rounds();
            LockSupport.parkNanos(this, LOOK_NANOS);
            engine.flushLeft(); // of a thread that was about to wait, and did not
            quiet = engine.rounds() == before && !engine.hasWaiters() ? quiet + 1 : 0;
        }
    }

    /** Ends the thread and waits for it, for a bounded time. */
    void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (isThread(Thread.currentThread()) || !thread.isAlive()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isClosed() {
        return closed;
    }
}
