// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;

/** Copies between a buffer and a block in a mapped segment, with all that must be checked. */
final class BlockCopy {
    private static final int[] NONE = {};

    private BlockCopy() {}

    /**
     * From the block to the target, from its position to its limit. Needs no pin: what was copied
     * while the block changed hands is thrown away.
     *
     * @return the stored checksums, if they are wanted
     */
    static int[] read(
            MappedSegment segment,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums)
            throws CrailException {
        int length = target.remaining();
        checkBounds(segment, block, offset, length);
        int record = block.record();
        if (segment.generation(record) != block.generation()) {
            throw stale(block);
        }
        segment.read(block, offset, target);
        int[] stored = checksums ? segment.checksums(block, offset, length) : NONE;
        if (!segment.isStill(record, block.generation())) {
            throw stale(block);
        }
        return stored;
    }

    /**
     * From the source, from its position to its limit, to the block, which is pinned meanwhile.
     *
     * @return false, and nothing was done, if there is no slot for the pin
     */
    static boolean write(
            MappedSegment segment,
            SessionFile pins,
            BlockReference block,
            int offset,
            ByteBuffer source,
            int[] checksums)
            throws CrailException {
        checkBounds(segment, block, offset, source.remaining());
        if ((block.rights() & BlockReference.WRITE) == 0) {
            throw new AccessDeniedException(block + " may not be written");
        }
        int slot = pin(segment, pins, block, true);
        if (slot == PinTable.NO_SLOT) {
            return false;
        }
        try {
            segment.write(block, offset, source);
            segment.setChecksums(block, offset, checksums);
        } finally {
            pins.unpin(slot);
        }
        return true;
    }

    /**
     * Pins a block.
     *
     * @return the slot, or {@link PinTable#NO_SLOT}
     */
    static int pin(MappedSegment segment, SessionFile pins, BlockReference block, boolean write)
            throws StaleReferenceException {
        int slot = pins.pin(segment, block.record(), block.generation(), write);
        if (slot == PinTable.STALE) {
            throw stale(block);
        }
        return slot;
    }

    static void checkBounds(MappedSegment segment, BlockReference block, int offset, int length)
            throws ProtocolException {
        if (!segment.holds(block, offset, length)) {
            throw new ProtocolException(
                    length + " bytes at " + offset + " of " + block + " are not in its segment");
        }
    }

    private static StaleReferenceException stale(BlockReference block) {
        return new StaleReferenceException(block + " was freed or granted again");
    }
}
