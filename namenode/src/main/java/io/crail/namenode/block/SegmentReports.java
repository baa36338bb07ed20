// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.ProtocolException;

/**
 * What storage servers say of the generations in their segments, slot by slot: not logged. From
 * then on a segment's free blocks may be allocated, and what is lost is known. Not thread-safe:
 * owned by the engine thread.
 */
public final class SegmentReports {
    private final ServerDirectory servers;
    private final Reports reports;

    SegmentReports(ServerDirectory servers, Reports reports) {
        this.servers = servers;
        this.reports = reports;
    }

    /**
     * Report: {@code slots} slots from {@code firstSlot} have this counter. The runs of a segment
     * come in order and without gaps; slot 0 starts over, and until {@link #complete} nothing is
     * allocated from the segment.
     *
     * @param mismatches is passed granted and committed blocks that are lost by this report, under
     *     the generation that the namenode knows
     * @return number of blocks passed to {@code mismatches}
     * @throws ProtocolException if the report has gaps, or is of another incarnation
     */
    public int slots(
            int server,
            int segment,
            int incarnation,
            int firstSlot,
            int slots,
            int counter,
            BlockConsumer mismatches)
            throws ProtocolException {
        Segment target = servers.segment(server, segment);
        if (target.incarnation != incarnation || slots < 0) {
            throw new ProtocolException(
                    "report of segment "
                            + segment
                            + " of storage server "
                            + server
                            + " does not fit its registration");
        }
        return reports.slots(target, firstSlot, slots, counter, mismatches);
    }

    /** Report: that was all; the segment's free blocks may be allocated. */
    public void complete(int server, int segment) throws ProtocolException {
        reports.complete(servers.segment(server, segment));
    }

    public boolean isReported(int server, int segment) {
        return servers.segment(server, segment).reported;
    }
}
