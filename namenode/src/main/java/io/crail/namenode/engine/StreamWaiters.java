// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.tree.StreamNode;
import io.crail.protocol.frame.ProtocolLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Readers that wait for the next record of a stream. Bounded in number; every one is answered
 * within its time, whether a record came or not.
 */
final class StreamWaiters {
    private static final int MAX_WAITERS = 65_536;

    /** Answers a request that waited. */
    @FunctionalInterface
    interface Answer {
        void send(Pending pending, StreamQuery query, StreamNode stream);
    }

    private record Waiter(StreamQuery query, Pending pending, long untilNanos) {}

    private final Core core;
    private final Answer answer;
    private final Map<Long, List<Waiter>> byNode = new HashMap<>();
    private int count;

    StreamWaiters(Core core, Answer answer) {
        this.core = core;
        this.answer = answer;
    }

    /** Keeps a request; false if it must be answered now. */
    boolean add(StreamQuery query, Pending pending) {
        long millis =
                Math.min(query.wanted().maxWaitMillis(), ProtocolLimits.DEFAULT_DEADLINE_MILLIS);
        if (count >= MAX_WAITERS || millis <= 0) {
            return false;
        }
        long until = core.nanos() + millis * 1_000_000L;
        byNode.computeIfAbsent(query.wanted().node(), id -> new ArrayList<>())
                .add(new Waiter(query, pending, until));
        count++;
        return true;
    }

    /** Records were appended: whoever waits for them gets them. */
    void appended(StreamNode stream) {
        if (count == 0) {
            return;
        }
        List<Waiter> waiters = byNode.remove(stream.id());
        if (waiters == null) {
            return;
        }
        count -= waiters.size();
        waiters.forEach(waiter -> answer.send(waiter.pending, waiter.query, stream));
    }

    /** Answers those whose time is over or whose stream is gone. */
    void tick() {
        if (count > 0) {
            byNode.entrySet().removeIf(entry -> tick(entry.getKey(), entry.getValue()));
        }
    }

    private boolean tick(long node, List<Waiter> waiters) {
        StreamNode stream = core.state().tree().byId(node) instanceof StreamNode s ? s : null;
        waiters.removeIf(waiter -> tick(node, stream, waiter));
        return waiters.isEmpty();
    }

    private boolean tick(
            long node, @org.jspecify.annotations.Nullable StreamNode stream, Waiter waiter) {
        Pending pending = waiter.pending;
        if (stream == null) {
            pending.connection()
                    .replyError(
                            pending.type(),
                            pending.id(),
                            pending.traceId(),
                            core.epoch(),
                            NamespaceRequests.gone(node));
        } else if (core.nanos() - waiter.untilNanos >= 0 || !pending.connection().isOpen()) {
            answer.send(pending, waiter.query, stream);
        } else {
            return false;
        }
        count--;
        return true;
    }
}
