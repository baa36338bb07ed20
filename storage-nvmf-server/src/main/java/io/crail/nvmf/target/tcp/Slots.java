// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a queue: as many as it has entries, one before it is connected. For the event loop.
 */
final class Slots {
    private final Connection connection;
    private final List<Slot> all = new ArrayList<>();
    private final ArrayDeque<Slot> free = new ArrayDeque<>();
    private int limit = 1;
    private int used;

    Slots(Connection connection) {
        this.connection = connection;
    }

    /** The queue has so many entries now. */
    void limit(int entries) {
        limit = entries;
    }

    int limit() {
        return limit;
    }

    /** Commands under way. */
    int used() {
        return used;
    }

    /** A free slot, or null if the host has more commands under way than the queue has entries. */
    @Nullable Slot take() {
        if (used >= limit) {
            return null;
        }
        used++;
        Slot slot = free.poll();
        if (slot == null) {
            slot = new Slot(connection, all.size());
            all.add(slot);
        }
        return slot;
    }

    void give(Slot slot) {
        slot.stage = Slot.Stage.FREE;
        used--;
        // The one used last is still in the processor's caches.
        free.push(slot);
    }

    /** The slot with a number, or null. */
    @Nullable Slot at(int number) {
        return number < all.size() ? all.get(number) : null;
    }

    /** Another command under way with the same identifier, or null. */
    @Nullable Slot find(int commandId, @Nullable Slot except) {
        if (used <= 1 && except != null) {
            return null;
        }
        for (Slot each : all) {
            if (each != except
                    && each.stage != Slot.Stage.FREE
                    && each.command.commandId() == commandId) {
                return each;
            }
        }
        return null;
    }

    /** All that ever were used. */
    List<Slot> all() {
        return all;
    }
}
