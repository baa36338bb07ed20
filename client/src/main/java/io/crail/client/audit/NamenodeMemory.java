// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Audit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A storage server's memory as the namenode sees it, page by page. Used by one thread. */
final class NamenodeMemory {
    private final ClusterAudit.Source source;
    private final int server;
    private final LongConsumer looks;
    private long permit;

    NamenodeMemory(ClusterAudit.Source source, int server, LongConsumer looks) {
        this.source = source;
        this.server = server;
        this.looks = looks;
    }

    /** What the storage server wants to see: of the last page. */
    long permit() {
        return permit;
    }

    Audit.Reply page(Audit.Position at) throws CrailException {
        Audit.Reply page = source.audit(new Audit.Request(server, Audit.MEMORY, at));
        permit = page.permit();
        looks.accept(page.looks());
        return page;
    }

    /** The slab of a slot: its segment in the upper half, its index in the lower one. */
    static long slab(int segment, int record) {
        return ((long) segment << 32) | record / BlockGeometry.SLOTS_PER_SLAB;
    }

    /** What is in some slabs now; those that are not there are left out. */
    Map<Long, List<Audit.Claim>> look(SortedSet<Long> slabs) throws CrailException {
        Map<Long, List<Audit.Claim>> found = new HashMap<>();
        long seen = 0; // Slabs below this one have been looked at.
        for (long slab : slabs) {
            if (slab < seen) {
                continue;
            }
            Audit.Reply page = page(Audit.Position.of(slab));
            for (Audit.Claim claim : page.claims()) {
                long of = slab(claim.segment(), claim.record());
                if (slabs.contains(of)) {
                    found.computeIfAbsent(of, key -> new ArrayList<>()).add(claim);
                }
            }
            seen = page.end() ? Long.MAX_VALUE : page.next().from();
        }
        return found;
    }

    /** A segment as a whole, looked at now; null if there is none of that number. */
    @Nullable SegmentFacts segment(int number) throws CrailException {
        Map<Integer, SegmentFacts> all = new HashMap<>();
        Audit.Position at = Audit.Position.of((long) number << 32);
        while (true) {
            Audit.Reply page = page(at);
            page.claims().forEach(claim -> count(claim, all));
            if (page.end() || (int) (page.next().from() >>> 32) != number) {
                return all.get(number);
            }
            at = page.next();
        }
    }

    /** Counts a claim in what is known of its segment. */
    static void count(Audit.Claim claim, Map<Integer, SegmentFacts> all) {
        long bytes = claim.state() == Audit.INSIDE ? 0 : claim.length();
        all.merge(
                claim.segment(),
                new SegmentFacts(Generation.incarnation(claim.generation()), bytes),
                (known, more) -> new SegmentFacts(more.incarnation(), known.bytes() + bytes));
    }
}
