// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Threads that wait for media. They take slots in the order in which they were submitted; a slot is
 * handed over through the queue, and what its event loop wrote before is visible to the worker.
 *
 * <p>The queue is as long as all slots of all connections together, so it is never full. Its takers
 * wake each other one by one, so an event loop that submits many pays for one wake-up only.
 *
 * <p>Workers are never interrupted: that would close the file below them.
 */
final class Workers {
    /** Ends a worker. */
    private enum Stop implements Runnable {
        STOP;

        @Override
        public void run() {
            // Taking it is all.
        }
    }

    private final BlockingQueue<Runnable> queue;
    private final List<Thread> threads = new ArrayList<>();

    Workers(int count, int capacity) {
        queue = new LinkedBlockingQueue<>(capacity + count);
        for (int index = 0; index < count; index++) {
            Thread thread = new Thread(this::work, "nvmf-worker-" + index);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Has something run. */
    void submit(Runnable work) {
        queue.add(work);
    }

    /** Whether nothing that was submitted waits for one of them. */
    boolean areFree() {
        return queue.isEmpty();
    }

    private void work() {
        boolean interrupted = false;
        while (true) {
            try {
                Runnable next = queue.take();
                if (next == Stop.STOP) {
                    break;
                }
                next.run();
            } catch (InterruptedException e) {
                interrupted = true; // nobody of ours does that
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends all when they are through with what was submitted.
     *
     * @return whether they ended in time
     */
    boolean stop(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        threads.forEach(any -> queue.add(Stop.STOP));
        for (Thread each : threads) {
            long left = deadline - System.nanoTime();
            if (left > 0) {
                each.join(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
            if (each.isAlive()) {
                return false;
            }
        }
        return true;
    }
}
