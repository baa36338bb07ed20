// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The live sessions, by id, and the answers that they remember together.
 *
 * <p>A snapshot takes them one by one, while they change: whoever changes a session calls {@link
 * #touch} before, so that the snapshot gets how it was when it began. Ids ascend for ever, so the
 * sessions that came later are behind those that a walk has to visit. Not thread-safe.
 */
public final class Sessions {
    /** Heap of a remembered answer besides its bytes. */
    private static final long RESULT_OVERHEAD = 112;

    private final TreeMap<Long, Session> byId = new TreeMap<>();
    private @Nullable Consumer<Session> hook;
    private int snapshot;
    private long cursor;
    private long resultBytes;

    public @Nullable Session get(long id) {
        return byId.get(id);
    }

    public Collection<Session> all() {
        return byId.values();
    }

    public int size() {
        return byId.size();
    }

    public void add(Session session) {
        session.snapshot = snapshot;
        byId.put(session.id(), session);
    }

    /** Forgets a session, whose handles and grants have been released. */
    public void remove(Session session) {
        touch(session);
        session.results().values().forEach(result -> resultBytes -= bytes(result));
        byId.remove(session.id());
    }

    // Exactly once.

    /** Heap taken by the answers that clients have not acknowledged. */
    public long resultBytes() {
        return resultBytes;
    }

    public void remember(Session session, long requestId, Session.Result result) {
        touch(session);
        session.remember(requestId, result);
        resultBytes += bytes(result);
    }

    /** Forgets the answers up to {@code id}; an acknowledgement never goes back. */
    public void acknowledge(Session session, long id) {
        if (id > session.acknowledged()) {
            touch(session);
            session.acknowledge(id, result -> resultBytes -= bytes(result));
        }
    }

    private static long bytes(Session.Result result) {
        return RESULT_OVERHEAD + result.control().length;
    }

    // Snapshots.

    /** Starts a walk over the sessions that exist now. */
    public void beginSnapshot(Consumer<Session> newHook) {
        if (hook != null) {
            throw new IllegalStateException("a snapshot is running");
        }
        hook = newHook;
        snapshot++;
        cursor = 0;
    }

    /** Saves one session; false when all have been visited. */
    public boolean continueSnapshot() {
        Map.Entry<Long, Session> next = byId.higherEntry(cursor);
        if (next == null) {
            return false;
        }
        cursor = next.getKey();
        touch(next.getValue());
        return true;
    }

    public void endSnapshot() {
        hook = null;
    }

    /** Must be called before any change of {@code session}. */
    public void touch(Session session) {
        if (session.snapshot != snapshot) {
            session.snapshot = snapshot;
            if (hook != null) {
                hook.accept(session);
            }
        }
    }
}
