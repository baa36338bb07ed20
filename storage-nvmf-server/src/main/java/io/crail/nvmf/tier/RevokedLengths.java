// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.Generation;
import io.crail.storage.block.BlockTable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How long the blocks are that are being revoked, as the namenode said. Counters and block table
 * know beginnings only, as a block of any size may begin at a slot.
 *
 * <p>What is told here may be destroyed, so a length counts for one generation of one slot, and
 * only while that is under revocation: a revocation that comes a second time, when the block has
 * long been cut into others, says nothing. Of several lengths the shortest counts. A namenode that
 * only suspects a block asks for the smallest one there is in any tier, which is none of flash.
 * Thread-safe.
 */
final class RevokedLengths {
    private record Told(long generation, int length) {
        Told with(Told other) {
            if (generation != other.generation) {
                return other;
            }
            return length <= other.length ? this : other;
        }
    }

    private final FlashLayout layout;
    private final ConcurrentMap<Integer, Told> told = new ConcurrentHashMap<>();

    RevokedLengths(FlashLayout layout) {
        this.layout = layout;
    }

    /** A block is to be revoked; called before it is. */
    void note(BlockTable table, int record, long generation, int length) {
        boolean known = record >= 0 && record < table.words().slots();
        if (known && (table.isCurrent(record, generation) || table.isPending(record, generation))) {
            told.merge(record, new Told(generation, length), Told::with);
        }
    }

    /**
     * Length of the block at a record whose generation was raised.
     *
     * @param raised its generation now
     * @return 0 if it is not known
     */
    int of(int record, long raised) {
        Told found = told.get(record);
        if (found == null || found.generation != before(raised)) {
            return 0;
        }
        return layout.isBlock(record, found.length) ? found.length : 0;
    }

    /** The block was reported as freed, or is about to be. */
    void forget(int record, long raised) {
        told.computeIfPresent(
                record, (same, found) -> found.generation == before(raised) ? null : found);
    }

    int size() {
        return told.size();
    }

    private static long before(long raised) {
        return Generation.of(Generation.incarnation(raised), Generation.counter(raised) - 1);
    }
}
