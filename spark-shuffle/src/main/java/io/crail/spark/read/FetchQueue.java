// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.DirectBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The fetches ahead of a task, in the order in which it uses them. Guarded by its fetcher.
 *
 * <p><b>Copies</b> are under way as far as there is memory for their buffers, because what comes
 * over a network takes time.
 *
 * <p><b>Views</b> take no memory and no time, so they are opened when it is their turn, and closed
 * before the next one: a task holds the blocks of one fetch in place, however far ahead it plans,
 * and a block that is freed meanwhile waits no longer than for these few bytes to be used. Their
 * checksums are compared at that time in the thread that reads, since the bytes are in its cache
 * then, and no thread of the client does it for others. What cannot be looked at after all (the
 * server is lost, the block was moved, others hold all the blocks that may be held, a checksum
 * differs) is copied then; that finds out what is wrong, and tries again.
 *
 * <p><b>Flash of this host</b> is read into memory that it shares with this process, of which it
 * lends half. So a task has no more of it ahead than is lent, which is enough to keep a disk busy:
 * more would have to be copied. A buffer is there for what is not lent.
 */
final class FetchQueue implements AutoCloseable {
    /** Fetches of which no more is held than where they are. */
    private static final int VIEWS_AHEAD = 128;

    /** Of flash of this host. */
    private static final int READ_HERE_AHEAD = 6 << 20;

    private final boolean views;
    private final DirectBuffers buffers;
    private final ReadMemory memory;
    private final ArrayDeque<Fetch> ahead = new ArrayDeque<>();
    private int toBeSeen;
    private int readHere;

    /**
     * An empty queue.
     *
     * @param memory for buffers; closed with the queue
     */
    FetchQueue(ApplicationStore store, ReadMemory memory) {
        this.views = store.settings().views();
        this.buffers = store.buffers();
        this.memory = memory;
    }

    /** Takes what is planned, as far as there is room. */
    void fill(FetchPlan plan) {
        for (Fetch next = plan.firstFetch();
                next != null && begin(next);
                next = plan.firstFetch()) {
            plan.removeFetch();
            ahead.add(next);
        }
    }

    private boolean begin(Fetch next) {
        if (views && next.bytesOnThisHost() == next.length()) {
            boolean room = toBeSeen < VIEWS_AHEAD;
            toBeSeen += room ? 1 : 0;
            return room;
        }
        boolean here = views && next.bytesReadOnThisHost() > 0;
        if (here && readHere > 0 && readHere + next.length() > READ_HERE_AHEAD) {
            return false;
        }
        if (!memory.tryUse(DirectBuffers.sizeFor(next.length()))) {
            return false;
        }
        if (here) {
            readHere += next.length();
            next.beginToLook(buffers.take(next.length()));
        } else {
            next.begin(buffers.take(next.length()));
        }
        return true;
    }

    /** The next fetch, which there must be: to be seen in place, or on its way. */
    Fetch take() {
        Fetch next = ahead.element();
        if (!next.hasBegun()) {
            if (!next.look()) {
                memory.use(DirectBuffers.sizeFor(next.length()));
                next.begin(buffers.take(next.length()));
            }
            toBeSeen--;
        } else if (next.isToBeLent()) {
            readHere -= next.length();
        }
        return ahead.remove();
    }

    /** A fetch that was taken is there: its buffer may be of no use to it. */
    void arrived(Fetch taken) {
        give(taken.takeUnused());
    }

    /** Takes back what a fetch holds. */
    void release(Fetch used) {
        give(used.release());
    }

    private void give(@Nullable ByteBuffer buffer) {
        if (buffer != null) {
            memory.release(buffer.capacity());
            buffers.give(buffer);
        }
    }

    /** Gives everything back, also what is under way. Idempotent. */
    @Override
    public void close() {
        ahead.forEach(this::release);
        ahead.clear();
        memory.close();
    }
}
