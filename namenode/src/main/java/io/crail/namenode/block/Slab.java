// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One slab: 1 MiB of a segment, uncut, or cut into blocks of one size with a state each.
 *
 * <p>Counters belong to slots and outlive the cut: a block uses the counter of its first slot, and
 * a slot that was the first one of a small block keeps its counter while it lies inside a large
 * one. Most slabs have only ever been one block, so the array of counters is made late.
 */
final class Slab {
    static final byte FREE = 0;
    static final byte GRANTED = 1;
    static final byte COMMITTED = 2;

    /** Its server has not been told to revoke it yet, in this process. */
    static final byte REVOKING = 3;

    static final byte QUARANTINED = 4;
    static final byte RETIRED = 5;

    /** Revoking, and its server has been told so; stored as {@link #REVOKING}. */
    static final byte REVOKING_TOLD = 6;

    static final int SLOTS = BlockGeometry.SLOTS_PER_SLAB;

    final Segment segment;
    final int index;

    /** log2 of the block size, or 0 for an uncut slab. */
    private int shift;

    private byte @Nullable [] states;
    private int freeBlocks;

    private int firstCounter = Generation.FIRST_COUNTER;
    private int @Nullable [] counters;

    /** Slots that must be fenced before this slab is used; null if there are none. */
    @Nullable Suspects suspects;

    /** The snapshot that has seen this slab. */
    int epoch;

    /** Whether the server's queue of slabs with something to revoke holds this one. */
    boolean queued;

    // The list of slabs with free blocks that this one is in.
    @Nullable SlabList list;
    @Nullable Slab previous;
    @Nullable Slab next;

    Slab(Segment segment, int index, int epoch) {
        this.segment = segment;
        this.index = index;
        this.epoch = epoch;
    }

    boolean isCut() {
        return states != null;
    }

    int shift() {
        return shift;
    }

    int blockSize() {
        return 1 << shift;
    }

    int blocks() {
        return states == null ? 0 : states.length;
    }

    int freeBlocks() {
        return freeBlocks;
    }

    byte state(int block) {
        return states == null ? FREE : states[block];
    }

    BlockState publicState(int block) {
        return switch (state(block)) {
            case FREE -> BlockState.FREE;
            case GRANTED -> BlockState.GRANTED;
            case COMMITTED -> BlockState.COMMITTED;
            case QUARANTINED -> BlockState.QUARANTINED;
            case RETIRED -> BlockState.RETIRED;
            default -> BlockState.REVOKING;
        };
    }

    /** Changes a state and nothing else; {@link StorageServer} counts and lists. */
    void setState(int block, byte state) {
        if (states == null) {
            throw new IllegalStateException("slab is not cut");
        }
        freeBlocks += (state == FREE ? 1 : 0) - (states[block] == FREE ? 1 : 0);
        states[block] = state;
    }

    void cut(int blockShift) {
        shift = blockShift;
        states = new byte[BlockGeometry.SLAB_SIZE >> blockShift];
        freeBlocks = states.length;
    }

    void uncutIfFree() {
        if (states != null && freeBlocks == states.length) {
            shift = 0;
            states = null;
            freeBlocks = 0;
        }
    }

    /** A free block; there must be one. */
    int freeBlock() {
        for (int block = 0; block < blocks(); block++) {
            if (state(block) == FREE) {
                return block;
            }
        }
        throw new IllegalStateException("slab without a free block");
    }

    /** The block whose first slot this is, or -1. */
    int blockAt(int slot) {
        int slotShift = shift - BlockGeometry.SLOT_SHIFT;
        return states != null && (slot & ((1 << slotShift) - 1)) == 0 ? slot >> slotShift : -1;
    }

    /** The block that covers this slot, or -1 in an uncut slab. */
    int blockOver(int slot) {
        return states == null ? -1 : slot >> (shift - BlockGeometry.SLOT_SHIFT);
    }

    /** First slot of a block, counted in the slab. */
    int slotOf(int block) {
        return block << (shift - BlockGeometry.SLOT_SHIFT);
    }

    /** Index in the segment of a slot's record. */
    int record(int slot) {
        return index * SLOTS + slot;
    }

    int counter(int slot) {
        if (counters != null) {
            return counters[slot];
        }
        return slot == 0 ? firstCounter : Generation.FIRST_COUNTER;
    }

    void setCounter(int slot, int counter) {
        if (counter == counter(slot)) {
            return;
        }
        if (counters == null && slot != 0) {
            counters = new int[SLOTS];
            Arrays.fill(counters, Generation.FIRST_COUNTER);
            counters[0] = firstCounter;
        }
        if (counters != null) {
            counters[slot] = counter;
        } else {
            firstCounter = counter;
        }
    }

    /** Whether this slab is as it was when its segment was made. */
    boolean isPristine() {
        return states == null && counters == null && firstCounter == Generation.FIRST_COUNTER;
    }
}
