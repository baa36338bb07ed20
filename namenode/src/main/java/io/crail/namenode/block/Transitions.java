// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;

/**
 * The transitions of blocks that are logged; {@link BlockMap} specifies them. What they make of the
 * state that is stored depends on that state and on their arguments alone.
 */
final class Transitions {
    private final ServerDirectory servers;
    private final PreImages preImages;
    private final Reports reports;

    Transitions(ServerDirectory servers, PreImages preImages, Reports reports) {
        this.servers = servers;
        this.preImages = preImages;
        this.reports = reports;
    }

    void grant(Slab slab, int record, int length, int counter) {
        if (!BlockGeometry.isBlockSize(length)) {
            throw new IllegalStateException("block of " + length + " bytes");
        }
        preImages.touch(slab);
        if (!slab.isCut()) {
            slab.cut(31 - Integer.numberOfLeadingZeros(length));
        }
        int slot = Segment.slotOf(record);
        int block = slab.blockAt(slot);
        if (slab.blockSize() != length || block < 0 || slab.state(block) != Slab.FREE) {
            slab.segment.server.settle(slab);
            throw wrong("grant", slab, record, length);
        }
        slab.setCounter(slot, counter);
        slab.segment.server.setState(slab, block, Slab.GRANTED);
    }

    void commit(Slab slab, int record, int length, long generation) {
        int block = referenced(slab, record, length, generation);
        if (block < 0) {
            throw wrong("commit", slab, record, length);
        }
        if (slab.state(block) == Slab.COMMITTED) {
            return;
        }
        preImages.touch(slab);
        StorageServer owner = slab.segment.server;
        boolean mismatched = slab.segment.isMismatched(record);
        int reported = mismatched ? slab.segment.reportedCounter(record) : 0;
        owner.clearMismatch(slab, block);
        owner.setState(slab, block, Slab.COMMITTED);
        if (mismatched) {
            owner.setMismatch(slab, block, reported);
        }
    }

    boolean unreference(int server, int segment, int record, int length, long generation) {
        StorageServer owner = servers.get(server);
        Slab slab = servers.find(server, segment, record);
        if (slab == null || slab.segment.incarnation != Generation.incarnation(generation)) {
            owner.orphans = Math.max(0, owner.orphans - 1);
            return false;
        }
        int block = referenced(slab, record, length, generation);
        if (block < 0) {
            return false;
        }
        preImages.touch(slab);
        if (slab.segment.isMismatched(record)) {
            // Whoever holds the reported generation must be fenced, so that is what to revoke.
            int reported = slab.segment.reportedCounter(record);
            owner.clearMismatch(slab, block);
            int slot = Segment.slotOf(record);
            if (Integer.compareUnsigned(reported, slab.counter(slot)) > 0) {
                slab.setCounter(slot, reported);
            }
        }
        owner.setState(slab, block, Slab.REVOKING);
        return true;
    }

    boolean freed(int server, int segment, int record, int length, long newGeneration) {
        Slab slab = servers.find(server, segment, record);
        if (slab == null || slab.segment.incarnation != Generation.incarnation(newGeneration)) {
            return false;
        }
        int counter = Generation.counter(newGeneration);
        return reports.freed(slab, Segment.slotOf(record), length, counter);
    }

    boolean isNews(int server, int segment, int record, int length, long newGeneration) {
        Slab slab = servers.find(server, segment, record);
        return slab != null
                && slab.segment.incarnation == Generation.incarnation(newGeneration)
                && reports.isNews(
                        slab, Segment.slotOf(record), length, Generation.counter(newGeneration));
    }

    boolean quarantine(int server, int segment, int record, int length, long generation) {
        Slab slab = servers.find(server, segment, record);
        if (slab == null || slab.segment.incarnation != Generation.incarnation(generation)) {
            return false;
        }
        int block = slab.blockAt(Segment.slotOf(record));
        if (block < 0
                || length != slab.blockSize()
                || StorageServer.counted(slab.state(block)) != Slab.REVOKING) {
            return false;
        }
        preImages.touch(slab);
        slab.segment.server.setState(slab, block, Slab.QUARANTINED);
        return true;
    }

    /** The granted or committed block that these fields name, or -1. */
    private static int referenced(Slab slab, int record, int length, long generation) {
        int slot = Segment.slotOf(record);
        int block = slab.blockAt(slot);
        if (block < 0
                || slab.blockSize() != length
                || slab.segment.generation(slab, slot) != generation) {
            return -1;
        }
        byte state = slab.state(block);
        return state == Slab.GRANTED || state == Slab.COMMITTED ? block : -1;
    }

    private static IllegalStateException wrong(String what, Slab slab, int record, int length) {
        return new IllegalStateException(
                what
                        + " of block "
                        + slab.segment.server.id
                        + "/"
                        + slab.segment.number
                        + "/"
                        + record
                        + " of "
                        + length
                        + " bytes does not fit its state");
    }
}
