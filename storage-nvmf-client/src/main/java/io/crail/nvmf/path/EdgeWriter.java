// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Units of one block that are written in part: read, changed and written, one change after the
 * other, so that none undoes what another one of this path has written. Of other paths there are
 * none: a block has one writer at a time, by its lease or grant, and the target lets a connection
 * be made again only when nothing of the one before is at the medium. Thread-safe.
 */
final class EdgeWriter {
    private final BlockReference block;

    /** What waits for each unit that is being changed, by its offset in the block. */
    private final Map<Integer, ArrayDeque<Runnable>> busy = new HashMap<>();

    EdgeWriter(BlockReference block) {
        this.block = block;
    }

    /**
     * Changes a unit.
     *
     * @param start its offset in the block
     * @param change puts bytes into the unit
     * @param ended told when it is written, or was not
     */
    void change(
            UnitIo units,
            int start,
            Consumer<ByteBuffer> change,
            Consumer<@Nullable CrailException> ended) {
        Runnable turn = () -> carryOut(units, start, change, ended);
        synchronized (this) {
            ArrayDeque<Runnable> waiting = busy.get(start);
            if (waiting != null) {
                waiting.add(turn);
                return;
            }
            busy.put(start, new ArrayDeque<>());
        }
        turn.run();
    }

    private void carryOut(
            UnitIo units,
            int start,
            Consumer<ByteBuffer> change,
            Consumer<@Nullable CrailException> ended) {
        long position = units.layout().dataOffset(block.record()) + start;
        units.changeUnit(
                block,
                position,
                change,
                cause -> {
                    next(start);
                    ended.accept(cause);
                });
    }

    private void next(int start) {
        Runnable turn;
        synchronized (this) {
            ArrayDeque<Runnable> waiting = busy.get(start);
            turn = waiting == null ? null : waiting.pollFirst();
            if (turn == null) {
                busy.remove(start);
                return;
            }
        }
        turn.run();
    }

    synchronized boolean isBusy() {
        return !busy.isEmpty();
    }
}
