// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Tasks that wait for their time: retries and time limits of connections, so there are few. */
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

    /** When the first task is due; of no meaning while there is none. */
    private volatile long firstDue;

    private volatile boolean any;

    /** Adds a task; returns whether it is now the first one. */
    boolean add(long due, Runnable task) {
        lock.lock();
        try {
            Timer timer = new Timer(due, order++, task);
            queue.add(timer);
            noteFirst();
            return timer.equals(queue.peek());
        } finally {
            lock.unlock();
        }
    }

    private void noteFirst() {
        Timer first = queue.peek();
        if (first != null) {
            firstDue = first.due;
        }
        any = first != null;
    }

    /** Nanoseconds until the first task is due, at most {@code limit}. */
    long nanosToNext(long now, long limit) {
        return any ? Math.max(0, Math.min(limit, firstDue - now)) : limit;
    }

    /** Removes a task that is due, or returns null. Costs next to nothing while none is. */
    @Nullable Runnable next(long now) {
        if (nanosToNext(now, 1) > 0) {
            return null;
        }
        lock.lock();
        try {
            Timer first = queue.peek();
            if (first == null || first.due - now > 0) {
                return null;
            }
            queue.poll();
            noteFirst();
            return first.task;
        } finally {
            lock.unlock();
        }
    }
}
