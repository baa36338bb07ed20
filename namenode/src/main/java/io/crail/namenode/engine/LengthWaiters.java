// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.ProtocolLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Long polls for the length of files. Bounded in number; every one is answered within its time,
 * changed or not.
 */
final class LengthWaiters {
    private static final int MAX_WAITERS = 65_536;

    private record Waiter(long node, long knownLength, Pending pending, long untilNanos) {}

    private final Core core;
    private final Map<Long, List<Waiter>> byNode = new HashMap<>();
    private int count;

    LengthWaiters(Core core) {
        this.core = core;
    }

    void add(FileNode file, long knownLength, Pending pending, int maxWaitMillis) {
        long millis = Math.min(maxWaitMillis, ProtocolLimits.DEFAULT_DEADLINE_MILLIS);
        if (count >= MAX_WAITERS || millis <= 0) {
            answer(file, pending);
            return;
        }
        long until = core.nanos() + millis * 1_000_000L;
        byNode.computeIfAbsent(file.id(), id -> new ArrayList<>())
                .add(new Waiter(file.id(), knownLength, pending, until));
        count++;
    }

    /** Tells who waits for this file, after any change of it. */
    void changed(FileNode file) {
        List<Waiter> waiters = byNode.remove(file.id());
        if (waiters == null) {
            return;
        }
        List<Waiter> stay = new ArrayList<>();
        for (Waiter waiter : waiters) {
            if (file.length() > waiter.knownLength || !file.isLeased()) {
                answer(file, waiter.pending);
                count--;
            } else {
                stay.add(waiter);
            }
        }
        if (!stay.isEmpty()) {
            byNode.put(file.id(), stay);
        }
    }

    /** Answers those whose time is over, or whose file has gone or lost its writer. */
    void tick() {
        if (count == 0) {
            return;
        }
        byNode.entrySet().removeIf(entry -> tick(entry.getKey(), entry.getValue()));
    }

    private boolean tick(long node, List<Waiter> waiters) {
        FileNode file = core.state().tree().byId(node) instanceof FileNode found ? found : null;
        waiters.removeIf(
                waiter -> {
                    if (file == null) {
                        Pending pending = waiter.pending;
                        pending.connection()
                                .replyError(
                                        pending.type(),
                                        pending.id(),
                                        pending.traceId(),
                                        core.epoch(),
                                        NamespaceRequests.gone(node));
                    } else if (core.nanos() - waiter.untilNanos >= 0
                            || !file.isLeased()
                            || !waiter.pending.connection().isOpen()) {
                        answer(file, waiter.pending);
                    } else {
                        return false;
                    }
                    count--;
                    return true;
                });
        return waiters.isEmpty();
    }

    private void answer(FileNode file, Pending pending) {
        file.encodeStatus(pending.beginReply());
        core.endReply(pending.connection());
    }
}
