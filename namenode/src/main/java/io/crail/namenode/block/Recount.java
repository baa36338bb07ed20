// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.block.BlockGeometry;

/**
 * Counts the bytes of one storage server by state anew, slab by slab, while they change: whatever
 * changes in a slab that was counted before changes the sums with it. So what was found at the end
 * is what lies there at that moment, and must be equal to the counters that are kept, however long
 * the count took. A segment that comes or goes ends the count: it must be begun again.
 *
 * <p>Owned by the engine thread, as the map is. Nobody keeps one over requests: see {@link
 * BlockMap#recount}.
 */
public final class Recount {
    private final StorageServer server;
    private final long[] bytes = new long[StorageServer.STATES];

    /** Slabs before this place have been counted. */
    private int nextSegment;

    private int nextSlab;

    Recount(StorageServer server) {
        this.server = server;
    }

    /** Whether this is the slab to be counted next, or segments in between are not there. */
    public boolean isNext(int segment, int slab) {
        return segment == nextSegment
                ? slab == nextSlab
                : slab == 0 && segment > nextSegment && isDone(nextSegment, segment);
    }

    private boolean isDone(int first, int end) {
        for (int number = first; number < end; number++) {
            Segment segment = server.segment(number);
            if (segment != null && (number > first || nextSlab < segment.slabs.length)) {
                return false;
            }
        }
        return true;
    }

    /** Whether all slabs have been counted. */
    public boolean isComplete() {
        return isDone(nextSegment, server.segments.length);
    }

    /** Counts the slab that {@link #isNext}. */
    public void count(int segment, int slab) {
        Segment of = server.segment(segment);
        if (of == null || !isNext(segment, slab)) {
            throw new IllegalStateException("slab " + slab + " of segment " + segment);
        }
        Slab target = of.slabs[slab];
        if (!target.isCut()) {
            bytes[Slab.FREE] += BlockGeometry.SLAB_SIZE;
        }
        for (int block = 0; block < target.blocks(); block++) {
            bytes[StorageServer.counted(target.state(block))] += target.blockSize();
        }
        nextSegment = segment;
        nextSlab = slab + 1;
    }

    /** A block's state has changed. */
    void changed(Slab slab, int from, int to) {
        int segment = slab.segment.number;
        if (segment < nextSegment || (segment == nextSegment && slab.index < nextSlab)) {
            bytes[from] -= slab.blockSize();
            bytes[to] += slab.blockSize();
        }
    }

    /** Bytes free, granted, committed, revoking, quarantined and retired, as counted now. */
    public long[] found() {
        return bytes.clone();
    }

    /** The same as the server's counters say. */
    public long[] kept() {
        return server.bytes.clone();
    }
}
