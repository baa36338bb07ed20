// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Pin;
import io.crail.protocol.message.AuditSegment.Run;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the namenode says of some slots beside what their server says: the rules of
 * docs/protocol.md, AUDIT_SEGMENT. Stateless. Of free slots each one is compared, since blocks are
 * cut anew while a check goes on and slots are not.
 */
final class SlotComparison {
    private SlotComparison() {}

    /** How many slots of a claim have something to be compared. */
    static int slots(Audit.Claim claim) {
        return isBlock(claim) ? 1 : claim.length() / BlockGeometry.MIN_BLOCK;
    }

    private static boolean isBlock(Audit.Claim claim) {
        return claim.state() != Audit.FREE && claim.state() != Audit.INSIDE;
    }

    /** Compares the words and flags of a claim's slots. */
    static void words(Audit.Claim claim, List<Run> runs, Consumer<Difference> out) {
        for (Run run : runs) {
            Finding.Kind kind = kind(claim, run);
            for (int slot = run.record(); kind != null && slot < run.end(); slot++) {
                out.accept(Difference.ofWord(kind, claim, slot, run));
            }
        }
    }

    private static Finding.@Nullable Kind kind(Audit.Claim claim, Run run) {
        boolean same = run.generation() == claim.generation();
        boolean freeing = (run.flags() & AuditSegment.REVOKING) != 0;
        return switch (claim.state()) {
            case Audit.FREE, Audit.INSIDE ->
                    freeing
                            ? Finding.Kind.STUCK_BLOCK
                            : same ? null : Finding.Kind.WRONG_GENERATION;
            case Audit.GRANTED, Audit.COMMITTED ->
                    same && !freeing ? null : Finding.Kind.WRONG_GENERATION;
            case Audit.REVOKING, Audit.QUARANTINED -> freeing ? null : Finding.Kind.STUCK_BLOCK;
            case Audit.RETIRED -> same ? null : Finding.Kind.WRONG_GENERATION;
            default -> null; // The namenode knows that it is lost, and tells its node.
        };
    }

    /** Looks for pins that nobody should have. */
    static void pins(
            Audit.Claim claim, NavigableMap<Long, List<Pin>> pins, Consumer<Difference> out) {
        long first = AuditSegment.place(claim.segment(), claim.record());
        for (List<Pin> here : pins.subMap(first, first + slots(claim)).values()) {
            for (Pin pin : here) {
                if (!isBlock(claim)
                        || (pin.generation() != claim.generation()
                                && claim.state() != Audit.LOST)) {
                    out.accept(Difference.ofPin(claim, pin));
                }
            }
        }
    }
}
