// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Something that works in turns, on the channels of one machine: it has a turn when a channel of
 * its selector gets ready, when it is poked, and when the time has come that it asked for.
 */
final class SimulatedProcess {
    /** One turn; says in how many nanoseconds it wants the next one. */
    @FunctionalInterface
    interface Turn {
        long turn() throws IOException;
    }

    /** A thread is not scheduled at once. */
    private static final long SCHEDULING_NANOS = 20_000;

    private final Timeline timeline;
    private final Turn turn;
    private BooleanSupplier again = () -> false;
    private long wakeAt = Long.MAX_VALUE;
    private long frozenUntil;
    private boolean ended;

    SimulatedProcess(Timeline timeline, Turn turn) {
        this.timeline = timeline;
        this.turn = turn;
    }

    /** Has a turn soon. */
    void poke() {
        wakeIn(1 + timeline.jitter(SCHEDULING_NANOS));
    }

    void wakeIn(long nanos) {
        long at = Math.max(frozenUntil, timeline.now() + Math.min(nanos, Long.MAX_VALUE / 4));
        if (ended || at >= wakeAt) {
            return;
        }
        wakeAt = at;
        timeline.after(
                at - timeline.now(),
                () -> {
                    if (wakeAt == at && !ended) {
                        run();
                    }
                });
    }

    private void run() {
        wakeAt = Long.MAX_VALUE;
        if (timeline.now() < frozenUntil) {
            wakeIn(0);
            return;
        }
        try {
            long pause = turn.turn();
            wakeIn(again.getAsBoolean() ? 1 : Math.max(1, pause));
        } catch (IOException e) {
            throw new AssertionError("a process ended by itself", e);
        }
    }

    /** Has another turn soon if that is so after a turn: channels that are still ready. */
    void again(BooleanSupplier condition) {
        again = condition;
    }

    /** Stops it for a while, as SIGSTOP does. */
    void freeze(long nanos) {
        frozenUntil = timeline.now() + nanos;
        wakeAt = Long.MAX_VALUE;
        wakeIn(nanos);
    }

    boolean isFrozen() {
        return timeline.now() < frozenUntil;
    }

    void end() {
        ended = true;
    }
}
