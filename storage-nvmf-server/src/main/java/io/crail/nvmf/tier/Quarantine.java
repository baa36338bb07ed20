// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.Generation;
import io.crail.storage.block.Pins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Blocks whose counter is raised and lasting, and which somebody may still write, since nobody
 * guards them. To a block table each of them is pinned until {@link Fence} has found out that
 * nobody can.
 *
 * <p><b>Order.</b> A block enters when its raised counter, marked as held, is on the medium. It
 * leaves when the counter without the mark is. So a server that is started again finds every block
 * that was neither reported as freed nor could have been, and begins its quarantine anew; a block
 * that was reported is never found. Thread-safe.
 */
final class Quarantine implements Pins {
    /** A block in quarantine; changed by the one thread that has it, which is the fence's first. */
    static final class Held {
        private final int slot;
        private volatile long since;

        /** The epoch that told of it; 0 while none has. */
        private volatile long epoch;

        /** Whether the fence has given it out of hand: it is on its way out. */
        private volatile boolean leaving;

        private volatile boolean tried;

        Held(int slot, long since) {
            this.slot = slot;
            this.since = since;
        }

        int record() {
            return slot;
        }

        long since() {
            return since;
        }

        long epoch() {
            return epoch;
        }

        /** Clients that look from now on see that it was revoked. */
        void announced(long by, long now) {
            since = now;
            epoch = by;
        }

        /** Only time tells, counted from now. */
        void beginAnew(long now) {
            since = now;
            epoch = Long.MAX_VALUE;
        }

        /** It is somebody else's than the fence's. */
        void handOver() {
            leaving = true;
        }

        /** It is the fence's again, as it is now. */
        void handBack() {
            leaving = false;
        }

        /** A deallocation of it was sent. */
        void tried() {
            tried = true;
        }

        boolean isTried() {
            return tried;
        }

        /** Whether nobody can acknowledge it. */
        boolean isByTime() {
            return epoch == Long.MAX_VALUE;
        }
    }

    private final CounterStore counters;
    private final FlashWords words;
    private final Map<Integer, Held> held = new ConcurrentHashMap<>();

    /** Finds what an earlier life of the server has left. */
    Quarantine(FlashLayout layout, CounterStore counters, FlashWords words, long now) {
        this.counters = counters;
        this.words = words;
        for (int slot = 0; slot < layout.slots(); slot++) {
            if (counters.isHeld(slot)) {
                enter(slot * FlashLayout.UNITS_PER_SLOT, now);
            }
        }
    }

    /** The counter of the block at this record is on the medium. */
    void enter(int record, long now) {
        held.put(record, new Held(record, now));
    }

    @Override
    public boolean isPinned(int segment, int slot, long generation) {
        return held.containsKey(slot);
    }

    @Override
    public List<Pin> all(int segment) {
        List<Pin> pins = new ArrayList<>();
        for (Held each : held.values()) {
            long raised = words.generation(each.slot);
            pins.add(
                    new Pin(
                            each.slot,
                            Generation.of(
                                    Generation.incarnation(raised),
                                    Generation.counter(raised) - 1)));
        }
        return pins;
    }

    int size() {
        return held.size();
    }

    /** Blocks in quarantine that satisfy a condition and are not leaving. */
    List<Held> those(Predicate<Held> condition) {
        return held.values().stream().filter(each -> !each.leaving).filter(condition).toList();
    }

    /**
     * Nobody can write these any more: writes their counters without the mark.
     *
     * @param left run for each when it is not pinned any more
     */
    void leave(List<Held> blocks, Runnable left) {
        for (Held each : blocks) {
            each.leaving = true;
            int slot = FlashLayout.slotOf(each.slot);
            counters.release(slot);
            counters.keep(
                    slot,
                    () -> {
                        held.remove(each.slot, each);
                        left.run();
                    });
        }
    }
}
