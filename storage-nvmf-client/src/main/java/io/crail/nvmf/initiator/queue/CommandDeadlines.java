// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the commands of a queue a few times within the time that they have. One that is late is
 * aborted; if that does not help in time, the connection ends. One that waits for a place for too
 * long fails. Run by the poller.
 */
final class CommandDeadlines {
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final QueuePair queue;
    private final QueueSettings settings;
    private final QueueOwner owner;

    /** A command without an answer in time. */
    private record Late(int commandId, Command command, boolean aborting) {}

    CommandDeadlines(QueuePair queue, QueueSettings settings, QueueOwner owner) {
        this.queue = queue;
        this.settings = settings;
        this.owner = owner;
    }

    /** Begins when the queue opens; ends with it. */
    void start() {
        if (!queue.isOpen()) {
            return;
        }
        for (Late each : findLate(queue.engine().nanoTime())) {
            if (each.aborting || !owner.timedOut(queue, each.commandId, each.command)) {
                queue.end(
                        new NvmeConnectionLostException(
                                queue.name()
                                        + ": the controller did not answer ("
                                        + each.command.what()
                                        + "), not even by aborting it"));
                return;
            }
        }
        long tick = Math.min(MAX_TICK_NANOS, Math.max(1, settings.commandTimeoutNanos() / 8));
        queue.engine().schedule(tick, this::start);
    }

    private List<Late> findLate(long now) {
        List<Late> late = new ArrayList<>();
        queue.lock().lock();
        try {
            for (Place each : queue.places().all()) {
                Command command = each.command;
                if (command != null && now - each.deadline >= 0) {
                    late.add(new Late(each.commandId(), command, each.aborting));
                    each.aborting = true;
                    each.deadline = now + settings.abortTimeoutNanos();
                }
            }
            queue.waiting().removeIf(each -> each.isExpired(now) && expire(each));
        } finally {
            queue.lock().unlock();
        }
        return late;
    }

    private boolean expire(Command command) {
        queue.end(
                command,
                new NvmeTimeoutException(
                        command.what() + " got no place on " + queue.name() + " in time"));
        return true;
    }
}
