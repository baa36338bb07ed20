// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Virtual time: everything that happens is an event of this queue, ordered by time; what happens at
 * the same time is ordered by a random number of the seed. The trace is a running hash of all that
 * was noted: two runs are the same if their traces are.
 */
final class Timeline {
    private static final long START = 1_000_000_000_000L;

    private record Event(long at, int tie, long order, Runnable action)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            int byTie = byTime != 0 ? byTime : Integer.compare(tie, other.tie);
            return byTie != 0 ? byTie : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final SplittableRandom random;
    private long now = START;
    private long order;
    private long events;
    private long trace = 0xCBF2_9CE4_8422_2325L;

    Timeline(SplittableRandom random) {
        this.random = random;
    }

    /** As {@link System#nanoTime}. */
    long now() {
        return now;
    }

    /** Since the beginning. */
    long elapsed() {
        return now - START;
    }

    void after(long nanos, Runnable action) {
        queue.add(new Event(now + Math.max(0, nanos), random.nextInt(), order++, action));
    }

    /** A random number below the bound, for delays. */
    long jitter(long bound) {
        return random.nextLong(bound);
    }

    /** Adds to the trace. */
    void note(long what) {
        trace = (trace ^ what) * 0x0000_0100_0000_01B3L;
        trace ^= trace >>> 29;
    }

    /** Lets so much time pass, with all that happens in it. */
    void run(long nanos) {
        long end = now + nanos;
        for (Event next = queue.peek(); next != null && next.at <= end; next = queue.peek()) {
            queue.remove();
            now = next.at;
            events++;
            note(now);
            next.action.run();
        }
        now = end;
    }

    long events() {
        return events;
    }

    long trace() {
        return trace;
    }
}
