// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One slab of direct memory, handed out as buddies: buffers of 4 KiB times a power of two, aligned
 * to their size. Guarded by the pool's lock.
 */
final class Slab {
    private static final int SLOTS = DirectBufferPool.MAX_BUFFER / DirectBufferPool.MIN_BUFFER;
    private static final int ORDERS = Integer.numberOfTrailingZeros(SLOTS) + 1;

    private final int number;
    private final ByteBuffer memory;

    /** {@code free[order]} has a bit for each free buddy of that order. */
    private final long[][] free = new long[ORDERS][];

    Slab(int number, ByteBuffer memory) {
        this.number = number;
        this.memory = memory;
        for (int order = 0; order < ORDERS; order++) {
            free[order] = new long[Math.max(1, (SLOTS >> order) / Long.SIZE)];
        }
        set(ORDERS - 1, 0, true);
    }

    int number() {
        return number;
    }

    ByteBuffer memory() {
        return memory;
    }

    static int order(int bytes) {
        int slots = (bytes + DirectBufferPool.MIN_BUFFER - 1) / DirectBufferPool.MIN_BUFFER;
        return slots <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(slots - 1);
    }

    static int size(int order) {
        return DirectBufferPool.MIN_BUFFER << order;
    }

    /** Index of a buddy of the order, or -1 if none is free and no larger one can be split. */
    int take(int order) {
        for (int larger = order; larger < ORDERS; larger++) {
            int index = first(larger);
            if (index >= 0) {
                set(larger, index, false);
                return split(larger, index, order);
            }
        }
        return -1;
    }

    /** Whether {@link #take} would find one. */
    boolean has(int order) {
        for (int larger = order; larger < ORDERS; larger++) {
            if (first(larger) >= 0) {
                return true;
            }
        }
        return false;
    }

    private int split(int from, int index, int order) {
        int at = index;
        for (int half = from - 1; half >= order; half--) {
            at <<= 1;
            set(half, at + 1, true);
        }
        return at;
    }

    void give(int order, int index) {
        int at = index;
        int level = order;
        while (level < ORDERS - 1 && isSet(level, at ^ 1)) {
            set(level, at ^ 1, false);
            at >>= 1;
            level++;
        }
        assert !isSet(level, at) : "buffer given back twice";
        set(level, at, true);
    }

    ByteBuffer slice(int order, int index) {
        return memory.slice(index * size(order), size(order)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int first(int order) {
        long[] bits = free[order];
        for (int word = 0; word < bits.length; word++) {
            if (bits[word] != 0) {
                return word * Long.SIZE + Long.numberOfTrailingZeros(bits[word]);
            }
        }
        return -1;
    }

    private boolean isSet(int order, int index) {
        return (free[order][index >> 6] & (1L << (index & 63))) != 0;
    }

    private void set(int order, int index, boolean on) {
        if (on) {
            free[order][index >> 6] |= 1L << (index & 63);
        } else {
            free[order][index >> 6] &= ~(1L << (index & 63));
        }
    }
}
