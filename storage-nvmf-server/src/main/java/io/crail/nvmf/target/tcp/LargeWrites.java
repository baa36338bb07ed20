// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.status.CommandKind;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Large writes of an event loop before they go to the workers: {@link #MOST_UNDER_WAY_BYTES} of
 * each namespace are with these, the others wait in the order in which they came.
 *
 * <p>A virtual disk says what it has done when its queue is empty. With all of a host's writes at
 * it they all come back together, and the disk is idle until the host has heard of them and sent
 * the next data: a fifth of the time, with eight writes of 1 MiB (ADR 24). So as much as the disk
 * takes in a millisecond is left here, to be handed over the moment that the ones before are back.
 * Small writes do not wait behind large ones.
 *
 * <p>Belongs to the loop. What waits is bounded by the slots of all connections.
 */
final class LargeWrites {
    private static final int MOST_UNDER_WAY_BYTES = 4 << 20;

    private final Workers workers;
    private final Map<Integer, Lane> lanes = new HashMap<>();

    /** Those of a namespace. */
    private static final class Lane {
        final ArrayDeque<Slot> waiting = new ArrayDeque<>();
        int bytesUnderWay;

        boolean hasRoom(int bytes) {
            return bytesUnderWay == 0 || bytesUnderWay + bytes <= MOST_UNDER_WAY_BYTES;
        }
    }

    LargeWrites(Workers workers) {
        this.workers = workers;
    }

    /** Whether a command is one; never so for what a loop carries out itself. */
    static boolean isOne(Slot slot) {
        return slot.command.kind() == CommandKind.WRITE
                && slot.command.length() > Dispatcher.LONGEST_INLINE;
    }

    /** Hands one to the workers, now or when there is room. */
    void submit(Slot slot) {
        Lane lane = lane(slot);
        lane.waiting.add(slot);
        begin(lane);
    }

    /** One of them is back from the workers; its command is what it was. */
    void back(Slot slot) {
        Lane lane = lane(slot);
        lane.bytesUnderWay -= slot.command.length();
        begin(lane);
    }

    private Lane lane(Slot slot) {
        return lanes.computeIfAbsent(slot.command.namespace().id(), id -> new Lane());
    }

    private void begin(Lane lane) {
        Slot next = lane.waiting.peek();
        while (next != null && lane.hasRoom(next.command.length())) {
            lane.waiting.remove();
            lane.bytesUnderWay += next.command.length();
            workers.submit(next);
            next = lane.waiting.peek();
        }
    }
}
