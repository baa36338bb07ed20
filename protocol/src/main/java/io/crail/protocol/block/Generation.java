// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

/**
 * The 64-bit generation of a block: the random incarnation of its segment in the upper half, a
 * counter that the storage server raises before a freed block is granted again in the lower half.
 * Counters start at 1, so that 0 is never a valid generation. A block whose counter has reached
 * {@link #MAX_COUNTER} is retired instead of raised.
 */
public final class Generation {
    public static final int FIRST_COUNTER = 1;

    /** Counters are unsigned 32-bit numbers; the last one is never granted. */
    public static final long MAX_COUNTER = 0xFFFF_FFFFL;

    private Generation() {}

    public static long of(int incarnation, int counter) {
        return ((long) incarnation << 32) | (counter & 0xFFFF_FFFFL);
    }

    public static int incarnation(long generation) {
        return (int) (generation >>> 32);
    }

    public static int counter(long generation) {
        return (int) generation;
    }
}
