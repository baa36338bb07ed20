// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.namenode.block.Recount;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Audit.Position;
import java.util.ArrayList;
import java.util.List;

/** The blocks of one server, for AUDIT; a slab is the least that a page shows. */
final class BlockPages {
    private final BlockMap blocks;
    private final AuditPage page;
    private final int server;

    BlockPages(BlockMap blocks, AuditPage page, int server) {
        this.blocks = blocks;
        this.page = page;
        this.server = server;
    }

    /** What a slab has to show. */
    @FunctionalInterface
    private interface Content {
        List<Audit.Claim> of(int segment, int slab);
    }

    /** Hears of each slab that has been shown, in the same moment. */
    @FunctionalInterface
    private interface Shown {
        void slab(int segment, int slab);
    }

    /** The blocks that are not free, and at the end the server's bytes by state, counted anew. */
    void blocks(Position start) {
        Recount recount = start.from() == 0 ? blocks.beginRecount(server) : blocks.recount(server);
        boolean end =
                show(
                        start,
                        this::used,
                        (segment, slab) -> {
                            if (recount != null && recount.isNext(segment, slab)) {
                                recount.count(segment, slab);
                            }
                        });
        if (end && recount != null && recount.isComplete()) {
            page.totals(recount.kept(), recount.found());
        }
    }

    /** All slots. */
    void memory(Position start) {
        show(start, this::all, (segment, slab) -> {});
    }

    /** Shows slabs until the page is full; returns whether these were the last ones. */
    private boolean show(Position start, Content content, Shown shown) {
        int firstSegment = (int) (start.from() >>> 32);
        for (int segment : blocks.segments(server)) {
            if (segment < firstSegment) {
                continue;
            }
            int slab = segment == firstSegment ? Math.max(0, (int) start.from()) : 0;
            for (; slab < blocks.slabCount(server, segment); slab++) {
                List<Audit.Claim> claims = page.isFull() ? List.of() : content.of(segment, slab);
                if (page.isFull() || !page.hasRoomFor(claims.size())) {
                    page.goesOn(Position.of(((long) segment << 32) | slab));
                    return false;
                }
                page.looked(1 + claims.size());
                claims.forEach(page::claim);
                shown.slab(segment, slab);
            }
        }
        page.ends();
        return true;
    }

    private List<Audit.Claim> used(int segment, int slab) {
        List<Audit.Claim> claims = new ArrayList<>();
        blocks.visitSlab(
                server,
                segment,
                slab,
                (record, length, state, generation) -> {
                    if (state != BlockState.FREE) {
                        claims.add(claim(segment, record, length, wire(state), generation));
                    }
                });
        return claims;
    }

    private List<Audit.Claim> all(int segment, int slab) {
        List<Audit.Claim> claims = new ArrayList<>();
        blocks.visitMemory(
                server,
                segment,
                slab,
                (record, length, state, generation) ->
                        claims.add(claim(segment, record, length, state, generation)));
        return claims;
    }

    private static Audit.Claim claim(
            int segment, int record, int length, int state, long generation) {
        return new Audit.Claim(0, 0, generation, segment, record, length, state);
    }

    private static int wire(BlockState state) {
        return switch (state) {
            case GRANTED -> Audit.GRANTED;
            case COMMITTED -> Audit.COMMITTED;
            case REVOKING -> Audit.REVOKING;
            case QUARANTINED -> Audit.QUARANTINED;
            case RETIRED -> Audit.RETIRED;
            case FREE, LOST -> throw new IllegalStateException("a block that is " + state);
        };
    }
}
