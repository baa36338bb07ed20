// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one server beside those who claim them: first all blocks, then all claims, then
 * what is left over. Keeps each block that is granted or committed. Used by one thread.
 */
final class ServerComparison {
    private record Key(int segment, int record, long generation) {
        static Key of(Audit.Claim claim) {
            return new Key(claim.segment(), claim.record(), claim.generation());
        }
    }

    /** A block and the first who claimed it. */
    private static final class Seen {
        final Audit.Claim block;
        Audit.@Nullable Claim holder;

        Seen(Audit.Claim block) {
            this.block = block;
        }
    }

    private final int server;
    private final Map<Key, Seen> blocks = new HashMap<>();
    private final Map<Key, Audit.Claim> later = new HashMap<>();

    ServerComparison(int server) {
        this.server = server;
    }

    /** A block as it is. */
    void block(Audit.Claim block) {
        if (isHeld(block)) {
            blocks.put(Key.of(block), new Seen(block));
        }
    }

    private static boolean isHeld(Audit.Claim block) {
        return block.state() == Audit.GRANTED || block.state() == Audit.COMMITTED;
    }

    int size() {
        return blocks.size();
    }

    /**
     * Somebody claims a block.
     *
     * @return a finding if somebody else does, too
     */
    @Nullable Finding claim(Audit.Claim claim) {
        Seen seen = blocks.get(Key.of(claim));
        Audit.Claim first;
        if (seen == null) {
            first = later.putIfAbsent(Key.of(claim), claim); // Granted since we looked.
        } else {
            first = seen.holder;
            seen.holder = first == null ? claim : first;
        }
        // A page may show a claim twice; and what was granted is committed by its holder.
        if (first == null
                || first.state() != claim.state()
                || (first.owner() == claim.owner() && first.offset() == claim.offset())) {
            return null;
        }
        return sharedBy(claim, first);
    }

    private Finding sharedBy(Audit.Claim one, Audit.Claim other) {
        BlockId id = new BlockId(server, one.segment(), one.record());
        String holders = one.state() == Audit.GRANTED ? "sessions " : "nodes ";
        return Finding.ofBlock(
                Finding.Kind.SHARED_BLOCK,
                id,
                one.length(),
                one.generation(),
                describe(id)
                        + " belongs to "
                        + holders
                        + other.owner()
                        + " (at offset "
                        + other.offset()
                        + ") and "
                        + one.owner()
                        + " (at offset "
                        + one.offset()
                        + ")");
    }

    /** Blocks that nobody has claimed, by the slab that is to be looked at again. */
    Map<Long, List<Audit.Claim>> unclaimed() {
        Map<Long, List<Audit.Claim>> slabs = new HashMap<>();
        for (Seen seen : blocks.values()) {
            if (seen.holder == null) {
                long slab =
                        ((long) seen.block.segment() << 32)
                                | seen.block.record() / BlockGeometry.SLOTS_PER_SLAB;
                slabs.computeIfAbsent(slab, unused -> new ArrayList<>()).add(seen.block);
            }
        }
        return slabs;
    }

    Finding orphan(Audit.Claim block) {
        BlockId id = new BlockId(server, block.segment(), block.record());
        return Finding.ofBlock(
                Finding.Kind.ORPHAN_BLOCK,
                id,
                block.length(),
                block.generation(),
                describe(id)
                        + " ("
                        + block.length()
                        + " B) is "
                        + (block.state() == Audit.GRANTED ? "granted" : "committed")
                        + ", but no node, lease or session has it");
    }

    static String describe(BlockId id) {
        return "block " + id.server() + "/" + id.segment() + "/" + id.record();
    }
}
