// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

import java.nio.ByteBuffer;
import java.util.BitSet;

/** One piece of direct memory, from which runs are taken in units. */
final class Arena {
    static final int BYTES = 1 << 20;
    static final int UNITS = 8;
    static final int UNIT_BYTES = BYTES / UNITS;

    final int index;
    final ByteBuffer buffer;

    /** The view that is lent to readers, again and again. */
    final ByteBuffer view;

    private final BitSet taken = new BitSet(UNITS);

    Arena(int index, ByteBuffer buffer) {
        this.index = index;
        this.buffer = buffer;
        this.view = buffer.asReadOnlyBuffer();
    }

    boolean isEmpty() {
        return taken.isEmpty();
    }

    boolean isFull() {
        return taken.cardinality() == UNITS;
    }

    /** Takes one free unit. */
    int takeUnit() {
        int unit = taken.nextClearBit(0);
        taken.set(unit);
        return unit;
    }

    void takeAll() {
        taken.set(0, UNITS);
    }

    void releaseUnit(int unit) {
        taken.clear(unit);
    }

    void releaseAll() {
        taken.clear();
    }
}
