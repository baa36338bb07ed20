// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.tree.Node;
import io.crail.protocol.message.Audit;
import io.crail.protocol.node.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One reply to AUDIT that is being filled, within the limits of a frame and of the engine's time.
 */
final class AuditPage {
    private static final long[] NOTHING = {};

    /** Looked at in one turn of the engine: a millisecond or two when nothing is in a cache. */
    static final int LOOKS = 5_000;

    private final List<Audit.Claim> claims = new ArrayList<>();
    private final List<Audit.Problem> problems = new ArrayList<>();
    private final List<Audit.Mistake> mistakes = new ArrayList<>();
    private int looks;
    private boolean end;
    private Audit.Position next = Audit.Position.START;
    private long[] kept = NOTHING;
    private long[] found = NOTHING;
    private long permit;

    /** Whether the next thing to be looked at must wait for the next page. */
    boolean isFull() {
        return claims.size() >= Audit.MAX_CLAIMS
                || problems.size() + mistakes.size() >= Audit.MAX_PROBLEMS
                || looks >= LOOKS;
    }

    /** Whether so many more claims go in. */
    boolean hasRoomFor(int more) {
        return !isFull() && claims.size() + more <= Audit.MAX_CLAIMS;
    }

    /** What may still be looked at in this turn. */
    int looksLeft() {
        return LOOKS - looks;
    }

    void looked(int count) {
        looks += count;
    }

    void claim(Audit.Claim claim) {
        claims.add(claim);
    }

    void problem(Audit.Problem problem) {
        problems.add(problem);
    }

    void mistake(Audit.Mistake mistake) {
        mistakes.add(mistake);
    }

    void totals(long[] keptBytes, long[] foundBytes) {
        kept = keptBytes;
        found = foundBytes;
    }

    /** Lets the asker ask the server itself. */
    void permits(long key) {
        permit = key;
    }

    /** The part goes on there. */
    void goesOn(Audit.Position at) {
        next = at;
    }

    /** That was all of the part. */
    void ends() {
        end = true;
    }

    Audit.Reply reply() {
        return new Audit.Reply(end, next, looks, claims, problems, mistakes, kept, found, permit);
    }

    /** The path of a node, cut to what a message takes: keys of tables may be long. */
    static String path(Node node) {
        byte[] path = node.path().getBytes(StandardCharsets.UTF_8);
        int length = path.length;
        if (length > Names.MAX_PATH) {
            length = Names.MAX_PATH;
            while (length > 0 && (path[length] & 0xC0) == 0x80) {
                length--; // Never cut within a character.
            }
        }
        return new String(Arrays.copyOf(path, length), StandardCharsets.UTF_8);
    }
}
