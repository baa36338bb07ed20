// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import java.util.BitSet;

/**
 * Compares what a server reports of its slots' counters with what is known. The server is the
 * authority, and counters only rise:
 *
 * <ul>
 *   <li>a granted or committed block must have exactly the known counter, else it is lost until a
 *       later report says otherwise;
 *   <li>for a revoking or quarantined block the higher counter holds: the next revoke must name the
 *       generation that is in force;
 *   <li>any other slot whose counter is higher than known has been granted in log records that were
 *       lost: it is fenced before use ({@link Suspects}).
 * </ul>
 */
final class Reports {
    private final PreImages preImages;

    Reports(PreImages preImages) {
        this.preImages = preImages;
    }

    /** Takes one run of slots; runs must come in order and without gaps, the first from slot 0. */
    int slots(Segment segment, int firstSlot, int slots, int counter, BlockConsumer mismatches)
            throws ProtocolException {
        StorageServer server = segment.server;
        if (firstSlot == 0) {
            server.setReported(segment, false);
        }
        if (firstSlot != segment.reportedSlots || slots > segment.slots() - firstSlot) {
            throw new ProtocolException(
                    describe(segment)
                            + " reports "
                            + slots
                            + " slots from "
                            + firstSlot
                            + ", but "
                            + segment.reportedSlots
                            + " of "
                            + segment.slots()
                            + " have been reported");
        }
        int lost = 0;
        int end = firstSlot + slots;
        for (int record = firstSlot; record < end; ) {
            Slab slab = segment.slabOf(record);
            if (slab == null) {
                break;
            }
            int next = Math.min(end, slab.record(Slab.SLOTS));
            // A new segment has a million such slots.
            if (counter != Generation.FIRST_COUNTER || !slab.isPristine()) {
                for (; record < next; record++) {
                    lost += slot(slab, Segment.slotOf(record), counter, mismatches);
                }
            }
            record = next;
        }
        segment.reportedSlots = end;
        return lost;
    }

    void complete(Segment segment) throws ProtocolException {
        if (segment.reportedSlots != segment.slots()) {
            throw new ProtocolException(
                    describe(segment)
                            + " ends its report after "
                            + segment.reportedSlots
                            + " of "
                            + segment.slots()
                            + " slots");
        }
        if (!segment.fenced) {
            for (Slab slab : segment.slabs) {
                suspectUnused(slab);
            }
        }
        segment.server.setReported(segment, true);
    }

    /**
     * Suspects every slot that may be the start of a block granted in log records that are lost:
     * all but those of blocks that the server confirms to be as they were (they cannot have been
     * freed meanwhile), and those that are revoked anyway.
     */
    private static void suspectUnused(Slab slab) {
        for (int slot = 0; slot < Slab.SLOTS; slot++) {
            int block = slab.blockOver(slot);
            byte state = block < 0 ? Slab.FREE : slab.state(block);
            boolean confirmed =
                    (state == Slab.GRANTED || state == Slab.COMMITTED)
                            && !slab.segment.isMismatched(slab.record(slab.slotOf(block)));
            boolean start = state != Slab.FREE && slab.slotOf(block) == slot;
            if (!confirmed && !start && slab.counter(slot) != (int) Generation.MAX_COUNTER) {
                suspect(slab, slot);
            }
        }
    }

    private int slot(Slab slab, int slot, int counter, BlockConsumer mismatches) {
        Segment segment = slab.segment;
        int block = slab.blockAt(slot);
        byte state = block < 0 ? Slab.FREE : slab.state(block);
        switch (state) {
            case Slab.GRANTED, Slab.COMMITTED -> {
                if (counter == slab.counter(slot)) {
                    segment.server.clearMismatch(slab, block);
                    return 0;
                }
                segment.server.setMismatch(slab, block, counter);
                mismatches.accept(
                        segment.server.id,
                        segment.number,
                        slab.record(slot),
                        slab.blockSize(),
                        segment.generation(slab, slot));
                return 1;
            }
            case Slab.FREE -> suspect(slab, slot, counter);
            case Slab.RETIRED -> {}
            default -> revokeUnder(slab, slot, block, counter);
        }
        return 0;
    }

    private void suspect(Slab slab, int slot, int counter) {
        if (raise(slab, slot, counter)) {
            suspect(slab, slot);
        }
    }

    private static void suspect(Slab slab, int slot) {
        Suspects suspects = slab.suspects;
        if (suspects == null) {
            suspects = new Suspects();
            slab.suspects = suspects;
            slab.segment.suspectSlabs++;
        }
        suspects.slots.set(slot);
        suspects.told = Math.min(suspects.told, slot);
        slab.segment.server.queue(slab);
        slab.segment.server.settle(slab);
    }

    /** The server has raised it without our knowing: it has to answer for this generation too. */
    private void revokeUnder(Slab slab, int slot, int block, int counter) {
        if (raise(slab, slot, counter)) {
            slab.segment.server.setState(slab, block, Slab.REVOKING);
        }
    }

    private boolean raise(Slab slab, int slot, int counter) {
        if (Integer.compareUnsigned(counter, slab.counter(slot)) <= 0) {
            return false;
        }
        preImages.touch(slab);
        slab.setCounter(slot, counter);
        return true;
    }

    // ---- the answers to revokes ----

    /** Whether {@link #freed} would change anything. */
    boolean isNews(Slab slab, int slot, int length, int counter) {
        int block = slab.blockAt(slot);
        byte state = block < 0 ? Slab.FREE : slab.state(block);
        boolean awaited =
                state == Slab.FREE
                        || ((StorageServer.counted(state) == Slab.REVOKING
                                        || state == Slab.QUARANTINED)
                                && length == slab.blockSize());
        return awaited && Integer.compareUnsigned(counter, slab.counter(slot)) > 0;
    }

    /** A block's or a suspect's new counter; false if it says nothing new. */
    boolean freed(Slab slab, int slot, int length, int counter) {
        if (!isNews(slab, slot, length, counter)) {
            return false;
        }
        raise(slab, slot, counter);
        int block = slab.blockAt(slot);
        boolean retired = counter == (int) Generation.MAX_COUNTER;
        if (block < 0 || slab.state(block) == Slab.FREE) {
            freedSuspect(slab, slot, retired);
            return true;
        }
        slab.segment.server.setState(slab, block, retired ? Slab.RETIRED : Slab.FREE);
        return true;
    }

    private void freedSuspect(Slab slab, int slot, boolean retired) {
        Suspects suspects = slab.suspects;
        if (retired) {
            // No block may ever start here: the slab stays suspect, and out of use.
            suspect(slab, slot);
        } else if (suspects != null) {
            suspects.slots.clear(slot);
            if (suspects.slots.isEmpty()) {
                slab.suspects = null;
                slab.segment.suspectSlabs--;
            }
            slab.segment.server.settle(slab);
        }
    }

    // ---- what to revoke ----

    /** Passes up to {@code limit} blocks to revoke that the server has not been told of. */
    int take(StorageServer server, int limit, BlockConsumer out) {
        int taken = 0;
        while (taken < limit) {
            Slab slab = server.toRevoke.peekFirst();
            if (slab == null) {
                return taken;
            }
            if (server.segment(slab.segment.number) == slab.segment) {
                taken += takeBlocks(slab, limit - taken, out);
                taken += takeSuspects(slab, limit - taken, out);
                if (taken == limit) {
                    // Perhaps there is more in it; the next call finds out.
                    return taken;
                }
            }
            slab.queued = false;
            server.toRevoke.removeFirst();
        }
        return taken;
    }

    private int takeBlocks(Slab slab, int limit, BlockConsumer out) {
        int taken = 0;
        for (int block = 0; block < slab.blocks() && taken < limit; block++) {
            if (slab.state(block) == Slab.REVOKING) {
                slab.setState(block, Slab.REVOKING_TOLD);
                tell(slab, slab.slotOf(block), slab.blockSize(), out);
                taken++;
            }
        }
        return taken;
    }

    private int takeSuspects(Slab slab, int limit, BlockConsumer out) {
        Suspects suspects = slab.suspects;
        if (suspects == null) {
            return 0;
        }
        BitSet slots = suspects.slots;
        int taken = 0;
        int slot = slots.nextSetBit(suspects.told);
        for (; slot >= 0 && taken < limit; slot = slots.nextSetBit(slot + 1)) {
            if (slab.counter(slot) != (int) Generation.MAX_COUNTER) {
                tell(slab, slot, BlockGeometry.MIN_BLOCK, out);
                taken++;
            }
        }
        suspects.told = slot < 0 ? Slab.SLOTS : slot;
        return taken;
    }

    private void tell(Slab slab, int slot, int length, BlockConsumer out) {
        Segment segment = slab.segment;
        out.accept(
                segment.server.id,
                segment.number,
                slab.record(slot),
                length,
                segment.generation(slab, slot));
    }

    /** Forgets what the server has been told: everything is to be revoked again. */
    void tellAgain(StorageServer server) {
        for (Segment segment : server.segments) {
            if (segment == null) {
                continue;
            }
            for (Slab slab : segment.slabs) {
                boolean any = slab.suspects != null;
                if (slab.suspects != null) {
                    slab.suspects.told = 0;
                }
                for (int block = 0; block < slab.blocks(); block++) {
                    byte state = slab.state(block);
                    if (state == Slab.REVOKING_TOLD || state == Slab.QUARANTINED) {
                        preImages.touch(slab);
                        server.setState(slab, block, Slab.REVOKING);
                        any = true;
                    }
                }
                if (any) {
                    server.queue(slab);
                }
            }
        }
    }

    private static String describe(Segment segment) {
        return "segment " + segment.number + " of storage server " + segment.server.id;
    }
}
