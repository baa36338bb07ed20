// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import java.util.BitSet;

/**
 * Which parts of the registered memory of a queue hold data of commands. Parts are whole units of 4
 * KiB; the first that fits is taken. Guarded by the lock of the queue.
 */
final class DataArea {
    static final int UNIT = 4096;

    private final int units;
    private final BitSet taken;

    DataArea(int bytes) {
        if (bytes < UNIT || bytes % UNIT != 0) {
            throw new IllegalArgumentException(bytes + " bytes are no units of " + UNIT);
        }
        this.units = bytes / UNIT;
        this.taken = new BitSet(units);
    }

    int bytes() {
        return units * UNIT;
    }

    /** Takes a part; its offset, or -1 if there is no room now. */
    int take(int bytes) {
        int wanted = unitsOf(bytes);
        int from = taken.nextClearBit(0);
        while (from + wanted <= units) {
            int next = taken.nextSetBit(from);
            if (next < 0 || next - from >= wanted) {
                taken.set(from, from + wanted);
                return from * UNIT;
            }
            from = taken.nextClearBit(next);
        }
        return -1;
    }

    /** Gives back what {@link #take} gave for as many bytes. */
    void giveBack(int offset, int bytes) {
        int from = offset / UNIT;
        int end = from + unitsOf(bytes);
        if (offset < 0 || end > units || taken.nextClearBit(from) < end) {
            throw new IllegalStateException(bytes + " bytes at " + offset + " are not taken");
        }
        taken.clear(from, end);
    }

    private static int unitsOf(int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException(bytes + " bytes");
        }
        return (bytes + UNIT - 1) / UNIT;
    }
}
