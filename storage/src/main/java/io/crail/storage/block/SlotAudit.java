// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Position;
import io.crail.protocol.message.AuditSegment.Reply;
import io.crail.protocol.message.AuditSegment.Run;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of a server say of their slots, a page at a time. Thread-safe; holds no lock
 * while it looks, so word and flags of a block whose revocation begins or ends at that moment need
 * not fit each other: who compares looks again.
 *
 * <p>A page of 16,384 slots is 0.1 ms of the event loop that answers it: as long as a READ of 1
 * MiB.
 */
public final class SlotAudit {
    private final Blocks blocks;

    public SlotAudit(Blocks blocks) {
        this.blocks = blocks;
    }

    /**
     * The page from a position on, which comes from a peer and may be any.
     *
     * @param limit slots to look at, 1 to {@link AuditSegment#MAX_SLOTS}
     */
    public Reply page(Position position, int limit) {
        int number = (int) (position.from() >>> 32);
        int record = (int) position.from();
        BlockTable table = blocks.table(number);
        if (table == null || record < 0 || record >= table.words().slots()) {
            table = behind(number, table != null);
            record = 0;
        }
        if (table == null) {
            return new Reply(true, Position.START, 0, 0, 0, List.of(), List.of());
        }
        return page(table, record, Math.min(limit, AuditSegment.MAX_SLOTS));
    }

    private Reply page(BlockTable table, int first, int limit) {
        BlockWords segment = table.words();
        int slots = segment.slots();
        int end = first + Math.min(limit, slots - first);
        List<Run> runs = runs(table, first, end);
        int reached = runs.get(runs.size() - 1).end();
        BlockTable following = reached < slots ? table : behind(segment.number(), true);
        return new Reply(
                following == null,
                following == null
                        ? Position.START
                        : Position.of(following.number(), reached < slots ? reached : 0),
                segment.number(),
                segment.incarnation(),
                segment.dataBytes(),
                runs,
                List.of());
    }

    /** At least one slot is looked at, so the list is not empty. */
    private static List<Run> runs(BlockTable table, int first, int end) {
        List<Run> runs = new ArrayList<>();
        long generation = table.words().generation(first);
        int flags = table.flags(first);
        int begin = first;
        for (int slot = first + 1; slot < end; slot++) {
            long nextGeneration = table.words().generation(slot);
            int nextFlags = table.flags(slot);
            if (nextGeneration != generation || nextFlags != flags) {
                runs.add(new Run(generation, begin, slot - begin, flags));
                if (runs.size() == AuditSegment.MAX_RUNS) {
                    return runs;
                }
                begin = slot;
                generation = nextGeneration;
                flags = nextFlags;
            }
        }
        runs.add(new Run(generation, begin, end - begin, flags));
        return runs;
    }

    /** The segment with the lowest number from this one on, or behind it. */
    private @Nullable BlockTable behind(int number, boolean exclusive) {
        BlockTable best = null;
        for (BlockTable table : blocks.all()) {
            if ((exclusive ? table.number() > number : table.number() >= number)
                    && (best == null || table.number() < best.number())) {
                best = table;
            }
        }
        return best;
    }
}
