// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;

/**
 * Namenode and storage server do not agree about a slot, at one look.
 *
 * @param key what must be the same at every look
 * @param word generation that the server, or a pin, has
 * @param flags what else the server says, of {@link AuditSegment}
 * @param state what the namenode says, of {@link Audit}
 * @param length bytes of the block; of a free slot its own
 */
record Difference(Key key, long word, int flags, int state, int length) {
    /**
     * What makes two differences one: a generation never comes back, so as long as this stays, no
     * message that is under way explains it.
     *
     * @param kind what
     * @param place segment and record
     * @param generation the namenode's generation
     * @param session who has a pin, or 0
     */
    record Key(Finding.Kind kind, long place, long generation, long session) {}

    static Difference ofWord(Finding.Kind kind, Audit.Claim claim, int slot, AuditSegment.Run run) {
        boolean free = claim.state() == Audit.FREE || claim.state() == Audit.INSIDE;
        return new Difference(
                new Key(kind, AuditSegment.place(claim.segment(), slot), claim.generation(), 0),
                run.generation(),
                run.flags(),
                claim.state(),
                free ? BlockGeometry.MIN_BLOCK : claim.length());
    }

    static Difference ofPin(Audit.Claim claim, AuditSegment.Pin pin) {
        return new Difference(
                new Key(
                        Finding.Kind.STRAY_PIN,
                        AuditSegment.place(pin.segment(), pin.record()),
                        claim.generation(),
                        pin.session()),
                pin.generation(),
                0,
                claim.state(),
                BlockGeometry.MIN_BLOCK);
    }

    /** Whether it is the same thing at the slots behind this one's. */
    boolean isContinuedBy(Difference next, int bytes) {
        return isSlot()
                && next.isSlot()
                && next.key.kind() == key.kind()
                && next.key.place() == key.place() + bytes / BlockGeometry.MIN_BLOCK
                && next.key.generation() == key.generation()
                && next.word == word
                && key.session() == 0
                && next.key.session() == 0;
    }

    private boolean isSlot() {
        return state == Audit.FREE || state == Audit.INSIDE;
    }

    /** As a finding of a server; {@code bytes} with those that continue it. */
    Finding finding(int server, int bytes) {
        BlockId id = new BlockId(server, (int) (key.place() >>> 32), (int) key.place());
        String what = ServerComparison.describe(id) + " (" + bytes + " B) ";
        return new Finding(
                key.kind(),
                "",
                key.session(),
                id,
                bytes,
                key.generation(),
                switch (key.kind()) {
                    case STRAY_PIN -> what + pinned();
                    case STUCK_BLOCK -> what + stuck();
                    default -> what + wrongGeneration();
                });
    }

    private String pinned() {
        return "is "
                + name()
                + " with generation "
                + text(key.generation())
                + ", but a process of session "
                + key.session()
                + " on the server's host holds it in place with generation "
                + text(word)
                + ": not repaired; if that process does not go on or let go, end it, then the"
                + " server frees what it held";
    }

    private String stuck() {
        if (isSlot()) {
            return "is "
                    + name()
                    + ", but its storage server is still freeing it"
                    + ((flags & AuditSegment.QUARANTINED) == 0 ? "" : ", as some process holds it");
        }
        return word == key.generation()
                ? "waits to be freed, but its storage server does not know"
                : "waits to be freed, but its storage server has done so: it has generation "
                        + text(word);
    }

    private String wrongGeneration() {
        String both =
                "is "
                        + name()
                        + " with generation "
                        + text(key.generation())
                        + ", but its storage server "
                        + ((flags & AuditSegment.REVOKING) != 0 ? "is freeing it and " : "")
                        + "has "
                        + text(word);
        if (!isSlot()) {
            return both
                    + ": what it holds cannot be read, and counts as lost when that is repaired";
        }
        return isBehind()
                ? both
                        + ": nothing can be written there; not repaired, as an older generation"
                        + " must never come back: drain the server, then start it with --format"
                : both + ": nothing can be written there until that is repaired";
    }

    /** Whether the server's generation is none that comes after the namenode's. */
    private boolean isBehind() {
        return Generation.incarnation(word) != Generation.incarnation(key.generation())
                || Integer.compareUnsigned(
                                Generation.counter(word), Generation.counter(key.generation()))
                        < 0;
    }

    private String name() {
        return switch (state) {
            case Audit.FREE -> "free";
            case Audit.GRANTED -> "granted";
            case Audit.COMMITTED -> "committed";
            case Audit.REVOKING -> "being freed";
            case Audit.QUARANTINED -> "quarantined";
            case Audit.RETIRED -> "retired";
            default -> "part of a block";
        };
    }

    private static String text(long generation) {
        return Integer.toHexString(Generation.incarnation(generation))
                + "/"
                + Integer.toUnsignedString(Generation.counter(generation));
    }
}
