// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.spi.PendingExchanges;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that are not answered yet, in order of their ids, and the calls that wait because
 * too many mutations are. Thread-safe.
 */
final class CallTable {
    /** Room kept for the session's own mutations: keep-alives, abandons. */
    private static final int RESERVE = 16;

    /** Ids that are looked at in one go. */
    private static final int LONGEST_LOOK = 1024;

    private final PendingExchanges<Attempt> pending = new PendingExchanges<>();
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private int maxMutations = 1024 - RESERVE;

    /** How many of {@link #pending} are mutations. */
    private int mutations;

    private long lastId;

    /** Only grows; no mutation with this id or a smaller one is pending. */
    private volatile long acknowledged;

    synchronized void maxUnacknowledged(int limit) {
        maxMutations = Math.max(1, limit - RESERVE);
    }

    /** Every mutation with an id up to this one has been answered. */
    long acknowledged() {
        return acknowledged;
    }

    /** An id for a frame that is no call, such as a hello. */
    synchronized long nextId() {
        lastId++;
        acknowledge();
        return lastId;
    }

    /** Gives the call an id, or lets it wait and returns null. */
    synchronized @Nullable Attempt admit(Call call, Session session) {
        if (call.isMutation() && !call.isUrgent() && mutations >= maxMutations) {
            waiting.add(call);
            return null;
        }
        lastId++;
        Attempt attempt = new Attempt(lastId, call, session);
        pending.put(attempt);
        if (call.isMutation()) {
            mutations++;
        }
        acknowledge();
        return attempt;
    }

    /** Removes an answered or dropped attempt; false if it was not there any more. */
    synchronized boolean remove(Attempt attempt) {
        if (!pending.remove(attempt)) {
            return false;
        }
        if (attempt.call().isMutation()) {
            mutations--;
        }
        acknowledge();
        return true;
    }

    /** A call that waited and now has room; to be submitted again. */
    synchronized @Nullable Call nextWaiting() {
        return mutations < maxMutations ? waiting.poll() : null;
    }

    synchronized boolean removeWaiting(Call call) {
        return waiting.remove(call);
    }

    synchronized List<Attempt> inOrder() {
        return pending.inOrder();
    }

    synchronized List<Call> drainWaiting() {
        List<Call> drained = new ArrayList<>(waiting);
        waiting.clear();
        return drained;
    }

    /**
     * Looks at each id once, and at a bounded number at a time: behind a mutation that took long
     * there may be millions, and what is acknowledged a few calls later does no harm.
     */
    private void acknowledge() {
        long upTo = mutations == 0 ? lastId : acknowledged;
        long last = Math.min(lastId, upTo + LONGEST_LOOK);
        while (upTo < last && !isMutationPending(upTo + 1)) {
            upTo++;
        }
        acknowledged = upTo;
    }

    private boolean isMutationPending(long id) {
        Attempt attempt = pending.get(id);
        return attempt != null && attempt.call().isMutation();
    }
}
