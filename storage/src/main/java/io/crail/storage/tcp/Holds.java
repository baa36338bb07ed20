// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.storage.block.BlockTable;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The blocks on which one connection holds references: so that a revocation that lasts too long
 * finds whom to close. Used by the connection's event loop only.
 */
final class Holds {
    /** One reference on a block; dropped once. Compared by identity. */
    static final class Hold {
        private final BlockTable table;
        private final int slot;
        private final long generation;

        private Hold(BlockTable table, int slot, long generation) {
            this.table = table;
            this.slot = slot;
            this.generation = generation;
        }

        /** Whether no revocation of the block has begun. */
        boolean isCurrent() {
            return table.isCurrent(slot, generation);
        }
    }

    private final ServiceState state;
    // Answers complete in the order of their requests, so a READ drops the first; a WRITE drops the
    // last, since no other request is taken while its payload arrives.
    private final Deque<Hold> held = new ArrayDeque<>();

    Holds(ServiceState state) {
        this.state = state;
    }

    /** Takes a reference, or returns null if the generation is not the block's. */
    @Nullable Hold acquire(BlockTable table, int slot, long generation) {
        if (!table.acquire(slot, generation)) {
            return null;
        }
        Hold hold = new Hold(table, slot, generation);
        held.addLast(hold);
        state.inFlight.increment();
        return hold;
    }

    void release(Hold hold) {
        if (held.peekFirst() == hold) {
            held.removeFirst();
        } else if (!held.removeLastOccurrence(hold)) {
            throw new IllegalStateException("reference dropped twice");
        }
        state.inFlight.decrement();
        hold.table.release(hold.slot);
    }

    boolean holds(BlockTable table, int slot, long generation) {
        for (Hold hold : held) {
            if (hold.table == table && hold.slot == slot && hold.generation == generation) {
                return true;
            }
        }
        return false;
    }
}
