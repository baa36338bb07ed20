// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts for one host. Thread-safe; counting takes no lock. */
public final class HostCounters {
    private static final class OfKind {
        final LongAdder operations = new LongAdder();
        final LongAdder bytes = new LongAdder();
        final LongAdder errors = new LongAdder();
    }

    private final String hostNqn;
    private final Map<CommandKind, OfKind> kinds = new EnumMap<>(CommandKind.class);
    private final AtomicInteger queues = new AtomicInteger();
    private final LongAdder depth = new LongAdder();

    HostCounters(String hostNqn) {
        this.hostNqn = hostNqn;
        for (CommandKind each : CommandKind.values()) {
            kinds.put(each, new OfKind());
        }
    }

    /** A queue was connected. */
    public void queueOpened() {
        queues.incrementAndGet();
    }

    public void queueClosed() {
        queues.decrementAndGet();
    }

    boolean isConnected() {
        return queues.get() > 0;
    }

    /** A command arrived. */
    public void began() {
        depth.increment();
    }

    /** A command that had begun is gone, answered or not. */
    public void left() {
        depth.decrement();
    }

    /** A command ended and is answered. */
    public void ended(CommandKind kind, boolean success, long bytes) {
        OfKind counts = kinds.get(kind);
        if (counts == null) {
            throw new IllegalStateException("no counters for " + kind);
        }
        counts.operations.increment();
        if (success) {
            counts.bytes.add(bytes);
        } else {
            counts.errors.increment();
        }
    }

    HostStatistics snapshot() {
        Map<CommandKind, CommandStatistics> commands = new EnumMap<>(CommandKind.class);
        kinds.forEach(
                (kind, counts) -> {
                    long operations = counts.operations.sum();
                    if (operations > 0) {
                        commands.put(
                                kind,
                                new CommandStatistics(
                                        operations, counts.bytes.sum(), counts.errors.sum()));
                    }
                });
        return new HostStatistics(hostNqn, queues.get(), depth.intValue(), Map.copyOf(commands));
    }
}
