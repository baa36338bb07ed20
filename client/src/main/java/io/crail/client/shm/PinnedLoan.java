// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BlockLoan;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A block that is pinned until the loan is closed. Thread-safe. */
final class PinnedLoan implements BlockLoan {
    private static final int[] NONE = {};

    private final SessionFile pins;
    private final int slot;
    private final ByteBuffer data;
    private final int[] stored;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes over a pin of the block.
     *
     * @param slot the pin
     * @param offset of the first byte that is lent, which the segment holds
     * @param checksums whether those of the chunks are wanted
     */
    PinnedLoan(
            MappedSegment segment,
            SessionFile pins,
            int slot,
            BlockReference block,
            int offset,
            int length,
            boolean checksums) {
        this.pins = pins;
        this.slot = slot;
        this.data = segment.slice(block, offset, length);
        this.stored = checksums ? segment.checksums(block, offset, length) : NONE;
    }

    /** Pins and lends; null if the block is stale, is not there, or there is no slot. */
    static @Nullable PinnedLoan now(
            MappedSegment segment,
            SessionFile pins,
            BlockReference block,
            int offset,
            int length,
            boolean checksums) {
        if (!segment.holds(block, offset, length)) {
            return null;
        }
        int slot = pins.pin(segment, block.record(), block.generation(), false);
        return slot == PinTable.NO_SLOT || slot == PinTable.STALE
                ? null
                : new PinnedLoan(segment, pins, slot, block, offset, length, checksums);
    }

    @Override
    public ByteBuffer data() {
        return data;
    }

    @Override
    public int[] storedChecksums() {
        return stored;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            pins.unpin(slot);
        }
    }
}
