// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.initiator.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When commands of a queue are late, first for an answer and then for their abort. Looked at a few
 * times within the time that they have. Owned by the poller.
 */
final class Deadlines {
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final long tickNanos;
    private final long abortNanos;
    private long next;

    /** A command without an answer in time. */
    record Late(int commandId, Command command, boolean aborting) {}

    Deadlines(Engine engine, QueueSettings settings) {
        this.tickNanos = Math.min(MAX_TICK_NANOS, Math.max(1, settings.commandTimeoutNanos() / 8));
        this.abortNanos = settings.abortTimeoutNanos();
        this.next = engine.nanoTime() + tickNanos;
    }

    void begin(long now) {
        next = now + tickNanos;
    }

    boolean isDue(long now) {
        if (now - next < 0) {
            return false;
        }
        next = now + tickNanos;
        return true;
    }

    /** Those that are late; they get time for their abort. With the lock of the queue held. */
    List<Late> find(Slot[] slots, long now) {
        List<Late> late = new ArrayList<>();
        for (Slot each : slots) {
            Command command = each.command;
            if (command != null && now - each.deadline >= 0) {
                late.add(new Late(each.commandId(), command, each.aborting));
                each.aborting = true;
                each.deadline = now + abortNanos;
            }
        }
        return late;
    }
}
