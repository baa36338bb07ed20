// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Pin;
import io.crail.protocol.message.AuditSegment.Position;
import io.crail.protocol.message.AuditSegment.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What processes have pinned, a page at a time, in the order of their sessions and of the blocks:
 * whatever comes and goes meanwhile, a pin that stays is shown. Stateless.
 */
final class PinAudit {
    /** Slots of session files looked at in one page; one session is looked at as a whole. */
    private static final int LOOKS = 16_384;

    private static final Comparator<Pin> ORDER =
            Comparator.comparingLong((Pin pin) -> AuditSegment.place(pin.segment(), pin.record()))
                    .thenComparingLong(Pin::generation);

    private PinAudit() {}

    static Reply page(Collection<SessionFile> files, Position position) {
        List<Pin> pins = new ArrayList<>();
        int looks = 0;
        long within = position.within();
        for (var session : bySession(files).tailMap(position.from(), true).entrySet()) {
            long from = session.getKey() == position.from() ? within : 0;
            if (looks >= LOOKS) {
                return reply(false, new Position(session.getKey(), from), pins);
            }
            TreeSet<Pin> held = new TreeSet<>(ORDER);
            for (SessionFile file : session.getValue()) {
                looks += 1 + file.addPins(from, held);
            }
            for (Pin pin : held) {
                long place = AuditSegment.place(pin.segment(), pin.record());
                if (pins.size() == AuditSegment.MAX_PINS) {
                    // A whole page of one block is nonsense that a client has written: go on.
                    boolean all = isAt(pins.get(0), pin);
                    return reply(
                            false, new Position(session.getKey(), place + (all ? 1 : 0)), pins);
                }
                pins.add(pin);
            }
        }
        return reply(true, Position.START, pins);
    }

    private static boolean isAt(Pin one, Pin other) {
        return one.session() == other.session()
                && one.segment() == other.segment()
                && one.record() == other.record();
    }

    private static NavigableMap<Long, List<SessionFile>> bySession(Collection<SessionFile> files) {
        NavigableMap<Long, List<SessionFile>> sessions = new TreeMap<>(Long::compareUnsigned);
        for (SessionFile file : files) {
            sessions.computeIfAbsent(file.session(), session -> new ArrayList<>()).add(file);
        }
        return sessions;
    }

    private static Reply reply(boolean end, Position next, List<Pin> pins) {
        return new Reply(end, next, 0, 0, 0, List.of(), pins);
    }
}
