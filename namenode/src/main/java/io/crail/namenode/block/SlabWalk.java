// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.Audit;

/** Shows what is in a slab. Owned by the engine thread; changes nothing. */
public final class SlabWalk {
    /** Is passed all slots of a slab in their order, without gaps. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * A block, or slots in a row that are free, or inside of the block before, and have the
         * same generation.
         *
         * @param record index of the first slot
         * @param length bytes
         * @param state a state of {@link Audit}
         * @param generation generation of the block, or of each of the slots
         */
        void visit(int record, int length, int state, long generation);
    }

    private SlabWalk() {}

    static void blocks(Slab slab, BlockVisitor visitor) {
        for (int block = 0; block < slab.blocks(); block++) {
            int slot = slab.slotOf(block);
            visitor.visit(
                    slab.record(slot),
                    slab.blockSize(),
                    slab.publicState(block),
                    slab.segment.generation(slab, slot));
        }
    }

    static void memory(Slab slab, Visitor visitor) {
        int first = 0;
        while (first < Slab.SLOTS) {
            int block = slab.blockAt(first);
            int state = state(slab, first);
            int end = first + 1;
            if (block < 0 || slab.state(block) == Slab.FREE) {
                while (end < Slab.SLOTS
                        && slab.counter(end) == slab.counter(first)
                        && state(slab, end) == state) {
                    end++;
                }
            }
            boolean whole = state != Audit.FREE && state != Audit.INSIDE;
            visitor.visit(
                    slab.record(first),
                    whole ? slab.blockSize() : (end - first) * BlockGeometry.MIN_BLOCK,
                    state,
                    slab.segment.generation(slab, first));
            first = end;
        }
    }

    /** What begins, or goes on, at a slot. */
    private static int state(Slab slab, int slot) {
        int block = slab.blockOver(slot);
        byte state = block < 0 ? Slab.FREE : slab.state(block);
        if (state == Slab.FREE) {
            return Audit.FREE;
        }
        if (slab.slotOf(block) != slot) {
            return Audit.INSIDE;
        }
        return switch (state) {
            case Slab.GRANTED, Slab.COMMITTED ->
                    slab.segment.isMismatched(slab.record(slot))
                            ? Audit.LOST
                            : state == Slab.GRANTED ? Audit.GRANTED : Audit.COMMITTED;
            case Slab.QUARANTINED -> Audit.QUARANTINED;
            case Slab.RETIRED -> Audit.RETIRED;
            default -> Audit.REVOKING;
        };
    }
}
