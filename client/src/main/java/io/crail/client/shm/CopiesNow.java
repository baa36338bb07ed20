// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BytesToWrite;
import io.crail.protocol.block.BlockReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies into blocks that are carried out where they are asked for and wait for nothing. No object,
 * no list and no callback for each: beside copies of microseconds these show. What cannot be done
 * at once is left undone, and becomes a {@link Job}, which finds out why.
 *
 * <p>Each copy holds the gate open. Who ends the path closes it for good, which waits for those
 * that are copying. The calling operation takes care of its own cancel.
 */
final class CopiesNow {
    private static final Logger LOG = LoggerFactory.getLogger(CopiesNow.class);

    private final StampedLock gate = new StampedLock();

    /** False if it was not done. */
    boolean write(
            @Nullable Attachment attachment, BlockReference block, int offset, BytesToWrite bytes) {
        MappedSegment segment = attachment == null ? null : attachment.segment(block);
        long open = attachment == null || segment == null ? 0 : gate.tryReadLock();
        if (attachment == null || segment == null || open == 0) {
            return false;
        }
        try {
            return write(segment, attachment.session(), block, offset, bytes);
        } finally {
            gate.unlockRead(open);
        }
    }

    private static boolean write(
            MappedSegment segment,
            SessionFile pins,
            BlockReference block,
            int offset,
            BytesToWrite bytes) {
        if (!segment.holds(block, offset, bytes.length())
                || (block.rights() & BlockReference.WRITE) == 0) {
            return false;
        }
        int slot = pins.pin(segment, block.record(), block.generation(), true);
        if (slot == PinTable.NO_SLOT || slot == PinTable.STALE) {
            return false;
        }
        try {
            segment.write(block, offset, bytes);
        } finally {
            pins.unpin(slot);
        }
        return true;
    }

    /**
     * Nothing is copied from now on. Waits for those that are copying, but not longer than a time:
     * such a copy belongs to a thread that somebody has stopped.
     */
    void end(long waitNanos) {
        boolean interrupted = Thread.interrupted();
        long closed;
        try {
            closed = gate.tryWriteLock(waitNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            closed = gate.tryWriteLock();
        }
        if (closed == 0) {
            LOG.warn("A copy that was begun before the end of a path has not ended.");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
