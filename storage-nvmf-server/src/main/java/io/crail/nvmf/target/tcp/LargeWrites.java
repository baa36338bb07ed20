// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.status.CommandKind;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Large writes of an event loop before they go to the medium: {@link #MOST_UNDER_WAY_BYTES} of each
 * namespace are with the workers, the others wait in the order in which they came.
 *
 * <p>A virtual disk says what it has done when its queue is empty. With all of a host's writes at
 * it they all come back together, and the disk is idle until the host has heard of them and sent
 * the next data: a fifth of the time, with eight writes of 1 MiB (ADR 24). So as much as the disk
 * takes in a millisecond is left here, to be begun the moment that the ones before are back: by the
 * worker that has heard of it, since the disk would wait for each change of threads. Small writes
 * do not wait behind large ones.
 *
 * <p>The loop submits, workers take; a lane's lock is held for a few instructions only. What waits
 * is bounded by the slots of all connections.
 */
final class LargeWrites {
    private static final int MOST_UNDER_WAY_BYTES = 4 << 20;

    private final Workers workers;

    /** Belongs to the loop. */
    private final Map<Integer, Lane> lanes = new HashMap<>();

    LargeWrites(Workers workers) {
        this.workers = workers;
    }

    /** Whether a command is one; never so for what a loop carries out itself. */
    static boolean isOne(Slot slot) {
        return slot.command.kind() == CommandKind.WRITE
                && slot.command.length() > Dispatcher.LONGEST_INLINE;
    }

    /** Hands one to the workers, now or when there is room. By the loop. */
    void submit(Slot slot) {
        int id = slot.command.namespace().id();
        lanes.computeIfAbsent(id, any -> new Lane()).submit(slot);
    }

    /**
     * Those of a namespace.
     *
     * <p>For each slot that was admitted and not taken the workers have this once, or one of them
     * is about to take it. So each of them is taken, whoever takes which.
     */
    private final class Lane implements Runnable {
        // All three are guarded by this lane's monitor.
        private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
        private final ArrayDeque<Slot> admitted = new ArrayDeque<>();

        /** Of those that were admitted and have not ended. */
        private int bytesUnderWay;

        void submit(Slot slot) {
            handOver(add(slot));
        }

        private void handOver(int count) {
            for (int index = 0; index < count; index++) {
                workers.submit(this);
            }
        }

        private synchronized int add(Slot slot) {
            waiting.add(slot);
            return admit();
        }

        private synchronized int end(int bytes) {
            bytesUnderWay -= bytes;
            return admit();
        }

        private synchronized Slot take() {
            return admitted.remove();
        }

        /** Lets in what there is room for; returns how many. */
        private int admit() {
            int count = 0;
            Slot next = waiting.peek();
            while (next != null && hasRoom(next.command.length())) {
                admitted.add(waiting.remove());
                bytesUnderWay += next.command.length();
                count++;
                next = waiting.peek();
            }
            return count;
        }

        private boolean hasRoom(int bytes) {
            return bytesUnderWay == 0 || bytesUnderWay + bytes <= MOST_UNDER_WAY_BYTES;
        }

        /** By a worker: one, and then others if nobody else waits for a worker. */
        @Override
        public void run() {
            boolean goesOn = true;
            while (goesOn) {
                Slot slot = take();
                int bytes = slot.command.length();
                slot.run(); // from here on its loop may use it for another command
                int count = end(bytes);
                goesOn = count > 0 && workers.areFree();
                handOver(goesOn ? count - 1 : count);
            }
        }
    }
}
