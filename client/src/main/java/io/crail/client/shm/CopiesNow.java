// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies that are carried out where they are asked for and wait for nothing. No object, no list and
 * no callback for each: beside copies of microseconds these show. What cannot be done at once is
 * left undone, and becomes a {@link Job}, which finds out why.
 *
 * <p>Each copy holds the gate open. Who ends the path closes it for good, which waits for those
 * that are copying. The calling operation takes care of its own cancel.
 */
final class CopiesNow {
    private static final Logger LOG = LoggerFactory.getLogger(CopiesNow.class);

    private final StampedLock gate = new StampedLock();

    /** False if it was not done. */
    boolean write(
            @Nullable Attachment attachment,
            BlockReference block,
            int offset,
            ByteBuffer source,
            int[] checksums) {
        MappedSegment segment = attachment == null ? null : attachment.segment(block);
        long open = attachment == null || segment == null ? 0 : gate.tryReadLock();
        if (attachment == null || segment == null || open == 0) {
            return false;
        }
        try {
            return BlockCopy.write(segment, attachment.session(), block, offset, source, checksums);
        } catch (CrailException e) {
            LOG.trace("Left to a transfer, which will be told the same.", e);
            return false;
        } finally {
            gate.unlockRead(open);
        }
    }

    /** Null if it was not done. */
    int @Nullable [] read(
            @Nullable Attachment attachment,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums) {
        MappedSegment segment = attachment == null ? null : attachment.segment(block);
        long open = segment == null ? 0 : gate.tryReadLock();
        if (segment == null || open == 0) {
            return null;
        }
        try {
            return BlockCopy.read(segment, block, offset, target, checksums);
        } catch (CrailException e) {
            LOG.trace("Left to a transfer, which will be told the same.", e);
            return null;
        } finally {
            gate.unlockRead(open);
        }
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
