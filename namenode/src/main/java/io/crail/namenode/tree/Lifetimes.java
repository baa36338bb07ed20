// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * When nodes with a time to live are due, and the clock that says so.
 *
 * <p>The clock counts the milliseconds that namenodes of this cluster have lived: it stands still
 * while none runs, and while the one that runs is stopped. It is no host's clock. A deadline is a
 * value of this clock, so what is recorded is, in effect, the time that was left; nobody's time
 * jumps, and a restart takes no time from a node that its owner could not renew meanwhile.
 *
 * <p>The clock is part of the state: log records carry it forward ({@link #record}), and replaying
 * them ends at the same value. Between two records it runs ahead in memory ({@link #pass}); before
 * an answer may depend on that, the engine records it ({@link #isUnrecorded}). After a crash the
 * clock goes on from what was recorded last.
 *
 * <p>Nodes stand in a binary heap by deadline. A node knows its place in it, so that a change or a
 * removal costs a logarithm and leaves nothing behind; nothing ever walks over all of them. Not
 * thread-safe.
 */
public final class Lifetimes {
    private static final int FIRST = 64;

    private @Nullable Extras[] heap = new Extras[FIRST];
    private int size;
    private long recorded;
    private long now;

    // The clock.

    /** Milliseconds lived, as far as memory knows. */
    public long now() {
        return now;
    }

    /** Milliseconds lived, as far as the log knows. */
    public long recorded() {
        return recorded;
    }

    /** Time goes by, without a record. */
    public void pass(long millis) {
        now += millis;
    }

    /** A log record says what the clock shows; it never goes back. */
    public void record(long clock) {
        recorded = Math.max(recorded, clock);
        now = Math.max(now, recorded);
    }

    /** Whether an answer given now could differ from the one that a replay gives. */
    public boolean isUnrecorded() {
        return size > 0 && now != recorded;
    }

    // Deadlines.

    /** Nodes that have a time to live. */
    public int size() {
        return size;
    }

    /** The node that is due first, if its time is over; else null. */
    public @Nullable Node due() {
        Extras first = heap[0];
        return first != null && first.deadline <= now ? first.node : null;
    }

    /**
     * As {@link #due}, and takes the node out of the heap: the caller removes it for good, or
     * stops.
     */
    public @Nullable Node pollDue() {
        Node node = due();
        if (node != null && node.extras() != null) {
            remove(node.extras());
        }
        return node;
    }

    void set(Extras extras, long deadline) {
        remove(extras);
        extras.deadline = deadline;
        if (deadline != Extras.NO_DEADLINE) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            up(size++, extras);
        }
    }

    /** Takes a node out of the heap; its deadline stays as it is. */
    void remove(Extras extras) {
        int at = extras.heapIndex;
        if (at == Extras.NOT_IN_HEAP) {
            return;
        }
        extras.heapIndex = Extras.NOT_IN_HEAP;
        Extras last = at(--size);
        heap[size] = null;
        if (last != extras) {
            up(at, last);
            if (heap[at] == last) {
                down(at, last);
            }
        }
        if (heap.length > FIRST && size < heap.length / 4) {
            heap = Arrays.copyOf(heap, heap.length / 2);
        }
    }

    private Extras at(int index) {
        Extras entry = heap[index];
        if (entry == null) {
            throw new IllegalStateException("heap ends before " + index);
        }
        return entry;
    }

    private void put(int at, Extras entry) {
        heap[at] = entry;
        entry.heapIndex = at;
    }

    private void up(int from, Extras entry) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            Extras above = at(parent);
            if (above.deadline <= entry.deadline) {
                break;
            }
            put(at, above);
            at = parent;
        }
        put(at, entry);
    }

    private void down(int from, Extras entry) {
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && at(child + 1).deadline < at(child).deadline) {
                child++;
            }
            Extras below = at(child);
            if (below.deadline >= entry.deadline) {
                break;
            }
            put(at, below);
            at = child;
        }
        put(at, entry);
    }
}
