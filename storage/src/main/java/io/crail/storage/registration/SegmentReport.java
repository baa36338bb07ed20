// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterSegment.Run;
import io.crail.storage.spi.TierSegment;
import java.util.ArrayList;
import java.util.List;

/** Turns a segment's counters into the parts that announce it. Stateless. */
final class SegmentReport {
    /** Runs in one part: 20,000 of 10 bytes each fit into a control part of 256 KiB. */
    static final int MAX_RUNS = 20_000;

    private SegmentReport() {}

    /** The parts that announce a segment, in order; the generations are those of this moment. */
    static List<RegisterSegment.Request> of(int server, TierSegment segment, int maxRuns) {
        int[] counters = segment.counters();
        List<RegisterSegment.Request> parts = new ArrayList<>();
        int slot = 0;
        do {
            int first = slot;
            List<Run> runs = new ArrayList<>();
            while (slot < counters.length && runs.size() < maxRuns) {
                int start = slot;
                while (slot < counters.length && counters[slot] == counters[start]) {
                    slot++;
                }
                runs.add(new Run(slot - start, counters[start]));
            }
            parts.add(
                    new RegisterSegment.Request(
                            server,
                            segment.number(),
                            segment.incarnation(),
                            segment.dataBytes(),
                            first,
                            slot == counters.length,
                            List.copyOf(runs)));
        } while (slot < counters.length);
        return parts;
    }
}
