// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps writers of one unit apart where a logical block is smaller than the medium's unit.
 *
 * <p>A write that covers a part of a unit reads the rest and writes the unit back; a write of
 * another block of that unit in between would be undone. So such a write is alone in its regions,
 * and others share theirs. A medium has far more regions than there are locks: those with the same
 * remainder share one, which costs waiting and nothing else.
 *
 * <p>Locks are taken in the order of their number, so nobody waits in a circle. A write hangs in
 * here as long as a command before it hangs in the device; it is then inside its gate and counts as
 * hanging, too.
 */
final class EdgeLocks {
    private static final int REGION_SHIFT = 20;
    private static final int LOCKS = 64;

    private final ReadWriteLock[] locks = new ReadWriteLock[LOCKS];

    EdgeLocks() {
        for (int index = 0; index < LOCKS; index++) {
            locks[index] = new ReentrantReadWriteLock();
        }
    }

    /** The locks of a span, as the bits of a mask. */
    private static long maskOf(Span span) {
        long mask = 0;
        long last = (span.start() + span.bytes() - 1) >>> REGION_SHIFT;
        for (long region = span.start() >>> REGION_SHIFT; region <= last; region++) {
            mask |= 1L << region;
        }
        return mask;
    }

    /** Locks a span's regions. */
    void lock(Span span) {
        for (long left = maskOf(span); left != 0; left &= left - 1) {
            of(span, left).lock();
        }
    }

    void unlock(Span span) {
        for (long left = maskOf(span); left != 0; left &= left - 1) {
            of(span, left).unlock();
        }
    }

    private Lock of(Span span, long mask) {
        ReadWriteLock lock = locks[Long.numberOfTrailingZeros(mask)];
        return span.hasEdges() ? lock.writeLock() : lock.readLock();
    }
}
