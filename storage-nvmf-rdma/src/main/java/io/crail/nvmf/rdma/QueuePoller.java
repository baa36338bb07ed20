// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.initiator.error.NvmeClosedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that polls for all queues, from the first queue until {@link #close}. While something
 * is expected it looks without a pause for 50 us after it has found something, then sleeps for 50
 * us, and after 5 ms for 250 us between looks; else for 10 ms, or until it is woken.
 *
 * <p>No wake-up is lost: who posts makes its queue busy first and looks for a sleeper second; the
 * thread says that it sleeps first and looks for busy queues second. Every sleep has a bound
 * besides.
 *
 * <p>Thread-safe.
 */
final class QueuePoller implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);

    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long SHORT_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONG_SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
    private static final long IDLE_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final List<RdmaQueue> queues = new CopyOnWriteArrayList<>();
    private volatile boolean asleep;

    /** Written with this object held. */
    private volatile @Nullable Thread thread;

    private boolean closed;

    /** Polls for a queue until it is gone; false if this was closed. */
    synchronized boolean add(RdmaQueue queue) {
        if (closed) {
            return false;
        }
        queues.add(queue);
        Thread current = thread;
        if (current == null) {
            current = new Thread(this, "crail-nvmf-rdma");
            current.setDaemon(true);
            thread = current;
            current.start();
        }
        wake();
        return true;
    }

    /** A queue is busy now. */
    void wake() {
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void run() {
        long foundAt = System.nanoTime();
        while (!isOver()) {
            if (round()) {
                foundAt = System.nanoTime();
            } else {
                pause(System.nanoTime() - foundAt);
            }
        }
    }

    private synchronized boolean isOver() {
        return closed && queues.isEmpty();
    }

    private boolean round() {
        boolean found = false;
        for (RdmaQueue each : queues) {
            try {
                found |= each.look();
            } catch (RuntimeException | LinkageError e) {
                LOG.error("{}: the poller failed", each.name(), e);
                each.fail(e);
            }
        }
        if (found) {
            queues.removeIf(RdmaQueue::isGone);
        }
        return found;
    }

    private void pause(long idleNanos) {
        if (isBusy()) {
            if (idleNanos < SPIN_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(
                        this, idleNanos < SHORT_NANOS ? SHORT_SLEEP_NANOS : LONG_SLEEP_NANOS);
            }
            return;
        }
        asleep = true;
        try {
            if (!isBusy()) {
                LockSupport.parkNanos(this, IDLE_SLEEP_NANOS);
            }
        } finally {
            asleep = false;
        }
    }

    private boolean isBusy() {
        for (RdmaQueue each : queues) {
            if (each.isBusy()) {
                return true;
            }
        }
        return false;
    }

    /** Ends all queues, and then the thread. Idempotent. */
    void close() {
        Thread current;
        synchronized (this) {
            closed = true;
            current = thread;
        }
        for (RdmaQueue each : queues) {
            each.giveUp(new NvmeClosedException(each.name() + " was closed with its fabric"));
        }
        if (current == null || current == Thread.currentThread()) {
            return;
        }
        boolean interrupted = false;
        try {
            current.join(JOIN_MILLIS);
            if (current.isAlive()) {
                LOG.warn("the RDMA poller has not ended within {} ms", JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
