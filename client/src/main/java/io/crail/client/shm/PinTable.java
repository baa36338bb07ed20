// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.protocol.segment.SessionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The pins of this process in one session file: which blocks it reads in place or copies into at
 * this moment.
 *
 * <p><b>Slots.</b> A bitmap says which slots are owned; a bit is taken by CAS, always the lowest
 * free one, so that the high-water mark stays low and the server's scans short.
 *
 * <p><b>Pinning</b> is Dekker's pattern. Here: store the slot, full fence, load the generation word
 * of the block. At the server: store the raised word, full fence, scan the slots. The fences are
 * totally ordered. If ours is first, the scan finds the slot and the block is not freed; if the
 * server's is first, our load finds the raised word and we touch nothing.
 *
 * <p><b>Reuse.</b> A scan reads a slot's block word and then its generation. If the slot goes to
 * another block in between, it sees the old block with the new generation and concludes that the
 * old pin has ended. So the generation is stored with release semantics: who sees it also sees all
 * that was done under the slot's last pin (its owner passed the slot on by the bitmap's CAS).
 *
 * <p>Thread-safe.
 */
final class PinTable {
    static final int NO_SLOT = -1;
    static final int STALE = -2;

    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer mapped;
    private final int slots;
    private final AtomicLongArray owned;
    private volatile boolean ended;

    /**
     * @param mapped the session file, little-endian
     */
    PinTable(ByteBuffer mapped, int slots) {
        this.mapped = mapped;
        this.slots = slots;
        this.owned = new AtomicLongArray((slots + Long.SIZE - 1) / Long.SIZE);
    }

    /**
     * Pins a block under a generation.
     *
     * @return the slot, to be given to {@link #unpin} once; or {@link #NO_SLOT}; or {@link #STALE}
     *     if the block has another generation or the table has ended: nothing may be touched
     */
    int pin(MappedSegment segment, int record, long generation, boolean write) {
        int slot = claim();
        if (slot < 0) {
            return NO_SLOT;
        }
        int at = SessionLayout.slotOffset(slot);
        raiseHighWater(slot + 1);
        LONGS.setRelease(mapped, at + SessionLayout.SLOT_GENERATION, generation);
        LONGS.setOpaque(mapped, at + SessionLayout.SLOT_SINCE, System.currentTimeMillis());
        LONGS.setVolatile(
                mapped,
                at + SessionLayout.SLOT_BLOCK,
                SessionLayout.blockWord(segment.number(), record, write));
        VarHandle.fullFence();
        if (!ended && segment.generation(record) == generation) {
            return slot;
        }
        unpin(slot);
        return STALE;
    }

    /** What was done under the pin is visible to whoever sees that it is gone. */
    void unpin(int slot) {
        LONGS.setRelease(mapped, SessionLayout.slotOffset(slot) + SessionLayout.SLOT_BLOCK, 0L);
        int word = slot / Long.SIZE;
        long bit = 1L << slot;
        long before;
        do {
            before = owned.get(word);
            assert (before & bit) != 0 : "unpinned twice";
        } while (!owned.compareAndSet(word, before, before & ~bit));
    }

    private int claim() {
        for (int word = 0; word < owned.length(); word++) {
            long taken = owned.get(word);
            while (taken != -1) {
                long bit = Long.lowestOneBit(~taken);
                int slot = word * Long.SIZE + Long.numberOfTrailingZeros(bit);
                if (slot >= slots) {
                    return NO_SLOT;
                }
                long witness = owned.compareAndExchange(word, taken, taken | bit);
                if (witness == taken) {
                    return slot;
                }
                taken = witness;
            }
        }
        return NO_SLOT;
    }

    private void raiseHighWater(int mark) {
        int now = highWater();
        while (now < mark) {
            int witness =
                    (int)
                            INTS.compareAndExchange(
                                    mapped, SessionLayout.HIGH_WATER_OFFSET, now, mark);
            if (witness == now) {
                return;
            }
            now = witness;
        }
    }

    /** Slots from this one on were never used. */
    int highWater() {
        return (int) INTS.getVolatile(mapped, SessionLayout.HIGH_WATER_OFFSET);
    }

    /** Whether a slot could be had now. */
    boolean hasFree() {
        int used = 0;
        for (int word = 0; word < owned.length(); word++) {
            used += Long.bitCount(owned.get(word));
        }
        return used < slots;
    }

    /**
     * From now on nothing can be pinned; true if nothing is. Once true, it stays true: a pin that
     * comes at the same time is seen here, or sees the end there.
     */
    boolean end() {
        ended = true;
        for (int word = 0; word < owned.length(); word++) {
            if (owned.get(word) != 0) {
                return false;
            }
        }
        return true;
    }
}
