// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BlockTransfer;
import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A transfer under way. Its lock is held while bytes are copied and while the transfer hears how it
 * went; so whoever cancels it waits for a copy that is going on, which is short, and knows that
 * there will be no callback afterwards.
 */
final class Job {
    private final BlockTransfer transfer;
    private final Consumer<Job> atEnd;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;

    /**
     * @param atEnd called once, before the transfer hears how it went
     */
    Job(BlockTransfer transfer, Consumer<Job> atEnd) {
        this.transfer = transfer;
        this.atEnd = atEnd;
    }

    BlockTransfer transfer() {
        return transfer;
    }

    BlockReference block() {
        return transfer.block();
    }

    /** Moves the bytes; false if there is no slot for the pin that it needs. */
    boolean run(MappedSegment segment, SessionFile pins) {
        lock.lock();
        try {
            return over || move(segment, pins);
        } catch (CrailException e) {
            finish();
            transfer.failed(e);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean move(MappedSegment segment, SessionFile pins) throws CrailException {
        if (!segment.holds(block(), transfer.offset(), transfer.length())) {
            throw new ProtocolException(
                    transfer.length()
                            + " bytes at "
                            + transfer.offset()
                            + " of "
                            + block()
                            + " are not in its segment");
        }
        if (transfer instanceof BlockTransfer.Read read) {
            copyFrom(segment, read);
            return true;
        }
        if (transfer instanceof BlockTransfer.Sums sums) {
            copyChecksums(segment, sums);
            return true;
        }
        boolean isWrite = transfer instanceof BlockTransfer.Write;
        if (isWrite && (block().rights() & BlockReference.WRITE) == 0) {
            throw new AccessDeniedException(block() + " may not be written");
        }
        int slot = pins.pin(segment, block().record(), block().generation(), isWrite);
        if (slot == PinTable.NO_SLOT) {
            return false;
        }
        if (slot == PinTable.STALE) {
            throw stale();
        }
        if (transfer instanceof BlockTransfer.Borrow borrow) {
            finish();
            borrow.lent(
                    new PinnedLoan(
                            segment,
                            pins,
                            slot,
                            block(),
                            borrow.offset(),
                            borrow.length(),
                            borrow.wantsChecksums()));
        } else {
            copyInto(segment, (BlockTransfer.Write) transfer, pins, slot);
        }
        return true;
    }

    /** Needs no pin: what was copied while the block changed hands is thrown away. */
    private void copyFrom(MappedSegment segment, BlockTransfer.Read read)
            throws StaleReferenceException {
        int record = block().record();
        if (segment.generation(record) != block().generation()) {
            throw stale();
        }
        segment.read(read);
        int[] stored =
                read.wantsChecksums()
                        ? segment.checksums(block(), read.offset(), read.length())
                        : new int[0];
        if (!segment.isStill(record, block().generation())) {
            throw stale();
        }
        finish();
        read.completed(stored);
    }

    /** As above. */
    private void copyChecksums(MappedSegment segment, BlockTransfer.Sums sums)
            throws StaleReferenceException {
        int record = block().record();
        if (segment.generation(record) != block().generation()) {
            throw stale();
        }
        int[] stored = segment.checksums(block(), sums.offset(), sums.length());
        if (!segment.isStill(record, block().generation())) {
            throw stale();
        }
        finish();
        sums.completed(stored);
    }

    private void copyInto(
            MappedSegment segment, BlockTransfer.Write write, SessionFile pins, int slot) {
        try {
            segment.write(block(), write.offset(), write);
        } finally {
            pins.unpin(slot);
        }
        finish();
        write.completed(new int[0]);
    }

    private StaleReferenceException stale() {
        return new StaleReferenceException(block() + " was freed or granted again");
    }

    private void finish() {
        over = true;
        atEnd.accept(this);
    }

    /** After this nothing is moved and nobody called back. */
    void cancel() {
        lock.lock();
        try {
            if (!over) {
                finish();
            }
        } finally {
            lock.unlock();
        }
    }

    void fail(CrailException cause) {
        lock.lock();
        try {
            if (!over) {
                finish();
                transfer.failed(cause);
            }
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #fail}; gives up if a copy takes longer than a time, and lets it end. */
    void abort(CrailException cause, long waitNanos) {
        boolean interrupted = Thread.interrupted();
        boolean locked;
        try {
            locked = lock.tryLock(waitNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
            locked = lock.tryLock();
        }
        if (locked) {
            try {
                fail(cause);
            } finally {
                lock.unlock();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    void decline(CrailException why) {
        lock.lock();
        try {
            if (!over) {
                finish();
                transfer.declined(why);
            }
        } finally {
            lock.unlock();
        }
    }
}
