// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Tasks that wait for their time. There are a few for each queue. Thread-safe. */
final class Timers {
    private record Timer(long due, long order, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            long difference = due - other.due;
            return difference != 0 ? Long.signum(difference) : Long.compare(order, other.order);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Timer> queue = new PriorityQueue<>();
    private long order;

    void add(long due, Runnable task) {
        lock.lock();
        try {
            queue.add(new Timer(due, order++, task));
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds until the first task is due, at most {@code limit}. */
    long nanosToNext(long now, long limit) {
        lock.lock();
        try {
            Timer first = queue.peek();
            return first == null ? limit : Math.max(0, Math.min(limit, first.due - now));
        } finally {
            lock.unlock();
        }
    }

    /** Removes a task that is due, or returns null. */
    @Nullable Runnable next(long now) {
        lock.lock();
        try {
            Timer first = queue.peek();
            if (first == null || first.due - now > 0) {
                return null;
            }
            queue.poll();
            return first.task;
        } finally {
            lock.unlock();
        }
    }
}
