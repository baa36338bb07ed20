// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one thread, read by others.
 *
 * <p>One thread writes, so that an addition is a plain load and an opaque store: no atomic
 * instruction, no fence, no cache line that two processors fight for. Opaque (JLS 17.7, VarHandle)
 * is enough: it forbids torn longs and promises that the store is seen in the end, in the order of
 * the stores to the same counter. A reader may see one counter a moment before another; a scrape
 * does not need more. A server with several event loops has one object for each and sums at the
 * scrape.
 */
public final class Tallies {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells;

    public Tallies(int size) {
        cells = new long[size];
    }

    /**
     * Adds to a counter; for the one writing thread.
     *
     * @return the new value
     */
    public long add(int index, long amount) {
        long sum = cells[index] + amount;
        CELL.setOpaque(cells, index, sum);
        return sum;
    }

    /** The counter as of about now; for any thread. */
    public long get(int index) {
        return (long) CELL.getOpaque(cells, index);
    }

    public int size() {
        return cells.length;
    }
}
