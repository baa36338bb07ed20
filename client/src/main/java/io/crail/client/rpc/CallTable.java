// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that are not answered yet, in order of their ids, and the calls that wait because
 * too many mutations are. Thread-safe.
 */
final class CallTable {
    /** Room kept for the session's own mutations: keep-alives, abandons. */
    private static final int RESERVE = 16;

    private final TreeMap<Long, Attempt> pending = new TreeMap<>();
    private final TreeMap<Long, Attempt> mutations = new TreeMap<>();
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private int maxMutations = 1024 - RESERVE;
    private long lastId;
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
        if (call.isMutation() && !call.isUrgent() && mutations.size() >= maxMutations) {
            waiting.add(call);
            return null;
        }
        lastId++;
        Attempt attempt = new Attempt(lastId, call, session);
        pending.put(lastId, attempt);
        if (call.isMutation()) {
            mutations.put(lastId, attempt);
        }
        acknowledge();
        return attempt;
    }

    /** Removes an answered or dropped attempt; false if it was not there any more. */
    synchronized boolean remove(Attempt attempt) {
        if (pending.remove(attempt.requestId()) == null) {
            return false;
        }
        mutations.remove(attempt.requestId());
        acknowledge();
        return true;
    }

    /** A call that waited and now has room; to be submitted again. */
    synchronized @Nullable Call nextWaiting() {
        return mutations.size() < maxMutations ? waiting.poll() : null;
    }

    synchronized boolean removeWaiting(Call call) {
        return waiting.remove(call);
    }

    synchronized List<Attempt> inOrder() {
        return new ArrayList<>(pending.values());
    }

    synchronized List<Call> drainWaiting() {
        List<Call> drained = new ArrayList<>(waiting);
        waiting.clear();
        return drained;
    }

    private void acknowledge() {
        acknowledged = mutations.isEmpty() ? lastId : mutations.firstKey() - 1;
    }
}
