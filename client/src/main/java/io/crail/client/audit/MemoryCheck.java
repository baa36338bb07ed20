// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Pin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares all memory of one storage server as the namenode sees it with what the server says of it
 * itself, while both change. A first look, once through all, finds where they do not agree at that
 * moment: on a busy cluster always somewhere, because a message is under way. It misses nothing
 * that stays. Then only those slabs are looked at again, each time the namenode first, then the
 * server, then the namenode: what the namenode says twice was so when the server answered. A
 * difference is a finding if it is there at every look of some seconds, with the same generations.
 *
 * <p>Memory is bounded by {@link #MAX_SLABS}. Used by one thread, once.
 */
final class MemoryCheck {
    /** Slabs that are looked at again; what is beyond them must wait for another check. */
    private static final int MAX_SLABS = 1024;

    /** Slabs in one look: between its two questions to the namenode there is little time. */
    private static final int SLABS_AT_ONCE = 64;

    /**
     * What is waited for before each look: in all, longer than a lost connection takes to return.
     */
    private static final List<Duration> PAUSES =
            List.of(
                    Duration.ZERO,
                    Duration.ofMillis(50),
                    Duration.ofMillis(250),
                    Duration.ofMillis(1500),
                    Duration.ofMillis(3000));

    private final ClusterAudit.Source source;
    private final int server;
    private final NamenodeMemory namenode;
    private final ServerMemory storage;
    private final SortedSet<Long> slabs = new TreeSet<>();
    private final SortedSet<Integer> segments = new TreeSet<>();
    private boolean tooMany;

    MemoryCheck(ClusterAudit.Source source, int server, LongConsumer looks) {
        this.source = source;
        this.server = server;
        this.namenode = new NamenodeMemory(source, server, looks);
        this.storage = new ServerMemory(source, server, namenode::permit);
    }

    /** Whether more differs than was looked at again. */
    boolean isCut() {
        return tooMany;
    }

    List<Finding> run() throws CrailException {
        firstLook();
        List<Finding> findings = new ArrayList<>();
        if (segments.isEmpty() && slabs.isEmpty()) {
            return findings;
        }
        Map<Integer, Finding> ofSegments = new TreeMap<>();
        Map<Difference.Key, Difference> ofSlots = new HashMap<>();
        for (int i = 0; i < PAUSES.size(); i++) {
            source.pause(PAUSES.get(i));
            Map<Integer, Finding> segmentsNow = lookAtSegments();
            Map<Difference.Key, Difference> slotsNow = lookAtSlabs();
            if (i > 0) {
                segmentsNow.keySet().retainAll(ofSegments.keySet());
                slotsNow.keySet().retainAll(ofSlots.keySet());
            }
            ofSegments = segmentsNow;
            ofSlots = slotsNow;
            narrow(ofSegments, ofSlots);
            if (ofSegments.isEmpty() && ofSlots.isEmpty()) {
                return findings;
            }
        }
        findings.addAll(ofSegments.values());
        merge(ofSlots, findings);
        return findings;
    }

    private void narrow(Map<Integer, Finding> ofSegments, Map<Difference.Key, Difference> ofSlots) {
        segments.retainAll(ofSegments.keySet());
        SortedSet<Long> left = new TreeSet<>();
        ofSlots.keySet().forEach(key -> left.add(slab(key.place())));
        slabs.retainAll(left);
    }

    private static long slab(long place) {
        return NamenodeMemory.slab((int) (place >>> 32), (int) place);
    }

    private void firstLook() throws CrailException {
        Map<Integer, SegmentFacts> known = new HashMap<>();
        Audit.Reply page = namenode.page(Audit.Position.START);
        Map<Integer, SegmentFacts> there = storage.segments();
        NavigableMap<Long, List<Pin>> pins = storage.pins();
        while (true) {
            for (Audit.Claim claim : page.claims()) {
                NamenodeMemory.count(claim, known);
                look(claim, there, pins);
            }
            if (page.end()) {
                break;
            }
            page = namenode.page(page.next());
        }
        SortedSet<Integer> all = new TreeSet<>(known.keySet());
        all.addAll(there.keySet());
        for (int segment : all) {
            SegmentFacts one = known.get(segment);
            if (one == null || !one.equals(there.get(segment))) {
                segments.add(segment);
            }
        }
    }

    private void look(
            Audit.Claim claim, Map<Integer, SegmentFacts> there, NavigableMap<Long, List<Pin>> pins)
            throws CrailException {
        SegmentFacts segment = there.get(claim.segment());
        if (segment == null
                || segment.incarnation() != Generation.incarnation(claim.generation())) {
            return; // A matter of the whole segment.
        }
        compare(claim, pins, AuditSegment.MAX_SLOTS, this::suspect);
    }

    private void suspect(Difference difference) {
        long slab = slab(difference.key().place());
        if (slabs.size() < MAX_SLABS) {
            slabs.add(slab);
        } else {
            tooMany |= !slabs.contains(slab);
        }
    }

    private void compare(
            Audit.Claim claim,
            NavigableMap<Long, List<Pin>> pins,
            int ahead,
            Consumer<Difference> out)
            throws CrailException {
        int end = claim.record() + SlotComparison.slots(claim);
        SlotComparison.words(claim, storage.runs(claim.segment(), claim.record(), end, ahead), out);
        SlotComparison.pins(claim, pins, out);
    }

    private Map<Difference.Key, Difference> lookAtSlabs() throws CrailException {
        Map<Difference.Key, Difference> found = new LinkedHashMap<>();
        SortedSet<Long> some = new TreeSet<>();
        for (long slab : slabs) {
            some.add(slab);
            if (some.size() == SLABS_AT_ONCE) {
                lookAt(some, found);
                some.clear();
            }
        }
        if (!some.isEmpty()) {
            lookAt(some, found);
        }
        return found;
    }

    private void lookAt(SortedSet<Long> some, Map<Difference.Key, Difference> found)
            throws CrailException {
        Map<Long, List<Audit.Claim>> before = namenode.look(some);
        NavigableMap<Long, List<Pin>> pins = storage.pins();
        Map<Audit.Claim, List<Difference>> differences = new HashMap<>();
        storage.forget();
        for (List<Audit.Claim> claims : before.values()) {
            for (Audit.Claim claim : claims) {
                List<Difference> here = new ArrayList<>(0);
                compare(claim, pins, BlockGeometry.SLOTS_PER_SLAB, here::add);
                if (!here.isEmpty()) {
                    differences.put(claim, here);
                }
            }
        }
        storage.forget();
        for (List<Audit.Claim> claims : namenode.look(some).values()) {
            for (Audit.Claim claim : claims) {
                differences
                        .getOrDefault(claim, List.of())
                        .forEach(difference -> found.put(difference.key(), difference));
            }
        }
    }

    private Map<Integer, Finding> lookAtSegments() throws CrailException {
        Map<Integer, Finding> found = new TreeMap<>();
        if (segments.isEmpty()) {
            return found;
        }
        Map<Integer, SegmentFacts> there = storage.segments();
        for (int number : segments) {
            SegmentFacts known = namenode.segment(number);
            SegmentFacts real = there.get(number);
            if (known == null ? real != null : !known.equals(real)) {
                found.put(number, segment(number, known, real));
            }
        }
        return found;
    }

    private Finding segment(int number, @Nullable SegmentFacts known, @Nullable SegmentFacts real) {
        String text =
                "segment "
                        + number
                        + " of storage server "
                        + server
                        + " is "
                        + (known == null ? "unknown" : known.describe())
                        + " to the namenode, and "
                        + (real == null ? "not there" : real.describe())
                        + " at the server: not repaired; "
                        + (real == null
                                ? "what it holds cannot be read. Start the server with its directory"
                                        + " and at least the capacity it had"
                                : "restart the server, which then registers it");
        long bytes = known == null ? 0 : known.bytes();
        return new Finding(
                Finding.Kind.WRONG_SEGMENT,
                "",
                0,
                new BlockId(server, number, 0),
                (int) Math.min(bytes, Integer.MAX_VALUE),
                known == null ? 0 : Generation.of(known.incarnation(), 0),
                text);
    }

    /** Slots in a row with the same difference are one finding. */
    private void merge(Map<Difference.Key, Difference> found, List<Finding> out) {
        List<Difference> sorted = new ArrayList<>(found.values());
        sorted.sort(Comparator.comparingLong(each -> each.key().place()));
        for (int i = 0; i < sorted.size(); ) {
            Difference first = sorted.get(i);
            int bytes = first.length();
            for (i++; i < sorted.size() && first.isContinuedBy(sorted.get(i), bytes); i++) {
                bytes += sorted.get(i).length();
            }
            out.add(first.finding(server, bytes));
        }
    }
}
