// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Pin;
import io.crail.protocol.message.AuditSegment.Position;
import io.crail.protocol.message.AuditSegment.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A storage server's memory as it sees it itself, page by page. Used by one thread. */
final class ServerMemory {
    private final ClusterAudit.Source source;
    private final int server;
    private final LongSupplier permit;
    private AuditSegment.@Nullable Reply page;

    ServerMemory(ClusterAudit.Source source, int server, LongSupplier permit) {
        this.source = source;
        this.server = server;
        this.permit = permit;
    }

    private AuditSegment.Reply ask(int part, Position at, int slots) throws CrailException {
        return source.segment(
                server, new AuditSegment.Request(permit.getAsLong(), part, at, slots));
    }

    private ProtocolException nonsense(String what) {
        return new ProtocolException("storage server " + server + " answered a check with " + what);
    }

    /** Its segments, by number. */
    Map<Integer, SegmentFacts> segments() throws CrailException {
        Map<Integer, SegmentFacts> all = new HashMap<>();
        int number = 0;
        while (true) {
            AuditSegment.Reply reply = ask(AuditSegment.SLOTS, Position.of(number, 0), 1);
            if (reply.incarnation() == 0) {
                return all;
            }
            if (reply.segment() < number) {
                throw nonsense("a segment that was not asked for");
            }
            all.put(reply.segment(), new SegmentFacts(reply.incarnation(), reply.dataBytes()));
            number = reply.segment() + 1;
        }
    }

    /** All pins by place: segment in the upper half, record in the lower one. */
    NavigableMap<Long, List<Pin>> pins() throws CrailException {
        NavigableMap<Long, List<Pin>> all = new TreeMap<>();
        Position at = Position.START;
        while (true) {
            AuditSegment.Reply reply = ask(AuditSegment.PINS, at, 1);
            for (Pin pin : reply.pins()) {
                all.computeIfAbsent(
                                AuditSegment.place(pin.segment(), pin.record()),
                                place -> new ArrayList<>(1))
                        .add(pin);
            }
            if (reply.end()) {
                return all;
            }
            if (reply.next().equals(at)) {
                throw nonsense("the same page of pins");
            }
            at = reply.next();
        }
    }

    /** What has been read is old from now on. */
    void forget() {
        page = null;
    }

    /**
     * What the server says of slots, cut to them; empty if the segment is not there. Pages are kept
     * until {@link #forget}, for who asks in order.
     *
     * @param ahead slots to read when there is something to read
     */
    List<Run> runs(int segment, int first, int end, int ahead) throws CrailException {
        List<Run> found = new ArrayList<>(1);
        int at = first;
        while (at < end) {
            AuditSegment.Reply current = page(segment, at, ahead);
            if (current.incarnation() == 0 || current.segment() != segment) {
                return found;
            }
            List<Run> runs = current.runs();
            for (int i = indexOf(runs, at); i < runs.size() && at < end; i++) {
                Run run = runs.get(i);
                int until = Math.min(end, run.end());
                found.add(new Run(run.generation(), at, until - at, run.flags()));
                at = until;
            }
        }
        return found;
    }

    private AuditSegment.Reply page(int segment, int at, int ahead) throws CrailException {
        AuditSegment.Reply known = page;
        if (known != null && known.segment() == segment && covers(known.runs(), at)) {
            return known;
        }
        AuditSegment.Reply fresh = ask(AuditSegment.SLOTS, Position.of(segment, at), ahead);
        if (fresh.incarnation() != 0 && fresh.segment() == segment) {
            check(fresh.runs(), at);
            page = fresh;
        }
        return fresh;
    }

    private static boolean covers(List<Run> runs, int at) {
        return runs.get(0).record() <= at && at < runs.get(runs.size() - 1).end();
    }

    private void check(List<Run> runs, int at) throws ProtocolException {
        int next = at;
        for (Run run : runs) {
            if (run.record() != next || run.slots() < 1 || run.end() < run.record()) {
                throw nonsense("slots that have gaps");
            }
            next = run.end();
        }
        if (next == at) {
            throw nonsense("no slots");
        }
    }

    private static int indexOf(List<Run> runs, int at) {
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (runs.get(middle).end() <= at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
