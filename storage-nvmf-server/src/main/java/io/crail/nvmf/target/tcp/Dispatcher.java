// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.status.CommandKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the commands of an event loop are carried out: plain reads by the ring, where there is one,
 * others by workers, {@link LargeWrites} a few at a time, or by the loop itself if they come one at
 * a time. Belongs to the loop.
 */
final class Dispatcher {
    /**
     * So many are handed over at once. With more the medium would be idle until the last of a turn
     * has been looked at, and all commands of a host would go round together.
     */
    private static final int COMPANY = 8;

    /** Of reads and writes; longer ones take too long for the other connections of the loop. */
    static final int LONGEST_INLINE = 128 << 10;

    private final Workers workers;
    private final LargeWrites largeWrites;
    private final @Nullable RingReads ring;
    private final boolean inline;
    private final Alone alone = new Alone();
    private final List<Slot> batch = new ArrayList<>();
    private int away;

    /**
     * A dispatcher.
     *
     * @param ring reads ranges; null if workers do
     * @param inline whether the loop may carry out a command itself
     */
    Dispatcher(Workers workers, @Nullable RingReads ring, boolean inline) {
        this.workers = workers;
        this.largeWrites = new LargeWrites(workers);
        this.ring = ring;
        this.inline = inline;
    }

    /** Commands that were handed over and are not back. */
    int away() {
        return away;
    }

    /** One of them is back, with its outcome. */
    void back() {
        away--;
    }

    /** A command has come in this turn. */
    void add(Slot slot) {
        slot.stage = Slot.Stage.AWAY;
        batch.add(slot);
        if (batch.size() == COMPANY) {
            alone.hadCompany();
            handOver();
        }
    }

    /**
     * The turn is over: hands over what has come.
     *
     * @param mayRun whether the loop can carry out a command now
     * @return the one that the loop shall carry out, which counts as away meanwhile
     */
    @Nullable Slot end(boolean mayRun) {
        if (batch.isEmpty()) {
            return null;
        }
        if (alone.decide(batch.size(), away) && inline && mayRun && isShort(batch.get(0))) {
            Slot slot = batch.get(0);
            batch.clear();
            away++;
            // A loop that looks at its ring need not be woken when the medium has answered.
            if (ring == null || !ring.take(slot)) {
                return slot;
            }
            ring.submit();
            return null;
        }
        handOver();
        return null;
    }

    /** Other commands may take long, too. */
    private static boolean isShort(Slot slot) {
        CommandKind kind = slot.command.kind();
        return (kind == CommandKind.READ || kind == CommandKind.WRITE)
                && slot.command.length() <= LONGEST_INLINE;
    }

    /** Something else had come when a command was through that the loop had carried out. */
    void hadCompany() {
        alone.hadCompany();
    }

    private void handOver() {
        away += batch.size();
        for (Slot each : batch) {
            if (LargeWrites.isOne(each)) {
                largeWrites.submit(each);
            } else if (ring == null || !ring.take(each)) {
                workers.submit(each);
            }
        }
        batch.clear();
        if (ring != null) {
            ring.submit();
        }
    }
}
