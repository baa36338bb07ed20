// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The poller of last resort: a daemon thread that polls when no waiting thread does, so that
 * asynchronous commands complete, keep-alives are sent and lost connections are noticed. A thread
 * that waits for its own command is faster when it polls itself, so this one leaves as soon as one
 * shows up, and then looks every millisecond whether anybody polled since.
 */
final class Progress implements Runnable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

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
        while (!closed) {
            long before = engine.rounds();
            engine.pollForOthers();
            if (closed) {
                return;
            }
            // Somebody else polls, or wants to; the place is taken again once nobody did for a
            // look.
            do {
                before = engine.rounds();
                LockSupport.parkNanos(this, LOOK_NANOS);
                engine.flushLeft(); // of a thread that was about to wait, and did not
            } while (!closed && (engine.rounds() != before || engine.hasWaiters()));
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
