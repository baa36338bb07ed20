// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.nvmf.initiator.queue.Rider;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The record of one block that is being written: all its checksums in one unit.
 *
 * <p>Unless the block is fresh, or the first writes cover it, it begins with what is stored, which
 * is read once: of a block that is continued these are the checksums of what is committed, and a
 * write that is repeated over a new connection must keep what was written over the old one. Of a
 * fresh block they mean nothing, which only its writer can tell. Then each write of the unit holds
 * all that is known at its time, so one write serves all transfers that came while the one before
 * was under way. A transfer has its checksums stored when a write that began behind its {@link
 * #put} has succeeded.
 *
 * <p>Where nothing else is under way, a transfer may take the unit along with its own data ({@link
 * #carry}): that is the write then. Its checksums are made when the unit is put beside the data,
 * which has just been copied; those of a transfer that was called off never are, and the unit says
 * of them what it said before.
 *
 * <p>Thread-safe: one command at a time, guarded by this.
 */
final class RecordWriter {
    private static final int[] NONE = {};

    private final BlockReference block;
    private final int[] sums;
    private final BitSet own = new BitSet();
    private boolean loaded;
    private boolean busy;

    /** Who waits for the next write. */
    private List<Consumer<@Nullable CrailException>> waiting = new ArrayList<>();

    /**
     * @param fresh whether what is stored means nothing
     */
    RecordWriter(BlockReference block, boolean fresh) {
        this.block = block;
        this.sums = new int[block.length() / FlashLayout.UNIT];
        this.loaded = fresh;
    }

    /**
     * Stores checksums of chunks in a row.
     *
     * @param first index of the first chunk in the block
     * @param ended told when they are stored, or were not
     */
    void put(UnitIo units, int first, int[] values, Consumer<@Nullable CrailException> ended) {
        synchronized (this) {
            note(first, values);
            waiting.add(ended);
            if (busy) {
                return;
            }
            busy = true;
        }
        goOn(units);
    }

    private void note(int first, int[] values) {
        assert Thread.holdsLock(this);
        System.arraycopy(values, 0, sums, first, values.length);
        own.set(first, first + values.length);
    }

    /**
     * Stores checksums by a command that writes data, which takes the unit along.
     *
     * @param at the logical block of the record
     * @param first index of the first chunk in the block
     * @param count number of chunks
     * @param values makes their checksums, when the command is sent; null if its transfer was
     *     called off
     * @return whom to give to that command, and to tell of its end; null if the unit cannot be
     *     written now: {@link #put} does it when it can
     */
    synchronized @Nullable Carried carry(
            long at, int first, int count, Supplier<int @Nullable []> values) {
        if (busy || !(loaded || isCovered(first, count))) {
            return null;
        }
        busy = true;
        return new Carried(at, first, values);
    }

    /** Whether all of the block is written anew, with these. */
    private boolean isCovered(int first, int count) {
        BitSet all = (BitSet) own.clone();
        all.set(first, first + count);
        return all.cardinality() == sums.length;
    }

    /** The unit on its way with the data of a transfer. */
    final class Carried implements Rider {
        private final long at;
        private final int first;
        private final Supplier<int @Nullable []> values;

        /** Those that came until the unit was sent; they are served by it, too. */
        private final List<Consumer<@Nullable CrailException>> served = new ArrayList<>();

        /** Whether it went along with the last attempt; guarded by the record. */
        private boolean gone;

        private Carried(long at, int first, Supplier<int @Nullable []> values) {
            this.at = at;
            this.first = first;
            this.values = values;
        }

        /** Makes the checksums, without the lock of the record. */
        private int[] made() {
            int[] made = values.get();
            return made == null ? NONE : made;
        }

        @Override
        public long firstBlock() {
            return at;
        }

        @Override
        public void put(ByteBuffer memory, int index) {
            int[] made = made();
            synchronized (RecordWriter.this) {
                gone = true;
                note(first, made);
                fill(memory, index, served);
            }
        }

        /** Nobody has been served by an attempt that was not carried out. */
        @Override
        public void staysBehind() {
            synchronized (RecordWriter.this) {
                gone = false;
                waiting.addAll(0, served);
                served.clear();
            }
        }

        @Override
        public void take(ByteBuffer memory, int index) {
            throw new IllegalStateException("a record that is written was read");
        }

        /**
         * The command has ended.
         *
         * @param ended told when the checksums are stored, or were not
         */
        void ended(
                UnitIo units,
                @Nullable CrailException cause,
                Consumer<@Nullable CrailException> ended) {
            boolean left;
            synchronized (RecordWriter.this) {
                left = cause == null && !gone;
                if (left) {
                    waiting.add(ended);
                } else {
                    served.add(ended);
                }
            }
            if (left) {
                int[] made = made();
                synchronized (RecordWriter.this) {
                    note(first, made);
                }
                goOn(units);
            } else {
                RecordWriter.this.ended(units, served, cause);
            }
        }
    }

    /** The next command; busy. */
    private void goOn(UnitIo units) {
        if (isLoaded()) {
            write(units);
        } else {
            load(units);
        }
    }

    /** Or whether nothing of what is stored counts, since all of the block is written anew. */
    private synchronized boolean isLoaded() {
        return loaded || own.cardinality() == sums.length;
    }

    private long position(UnitIo units) {
        return units.layout().recordOffset(block.record());
    }

    private void load(UnitIo units) {
        units.readUnit(
                block,
                position(units),
                this::loaded,
                cause -> {
                    if (cause == null) {
                        write(units);
                    } else {
                        ended(units, takeWaiting(), cause);
                    }
                });
    }

    private synchronized void loaded(ByteBuffer unit) {
        for (int i = 0; i < sums.length; i++) {
            if (!own.get(i)) {
                sums[i] = unit.getInt(4 * i);
            }
        }
        loaded = true;
    }

    private void write(UnitIo units) {
        // The unit may have to be waited for: who comes until then is served by this write, too.
        List<Consumer<@Nullable CrailException>> served = new ArrayList<>();
        units.writeUnit(
                block,
                position(units),
                unit -> fill(unit, 0, served),
                cause -> ended(units, concerned(served, cause), cause));
    }

    /**
     * Whom the end of a write concerns. One that failed before there was memory for it has served
     * nobody, and the next one would fail in the same way: all who wait learn of it.
     */
    private List<Consumer<@Nullable CrailException>> concerned(
            List<Consumer<@Nullable CrailException>> served, @Nullable CrailException cause) {
        return cause != null && served.isEmpty() ? takeWaiting() : served;
    }

    private synchronized void fill(
            ByteBuffer unit, int at, List<Consumer<@Nullable CrailException>> served) {
        served.addAll(takeWaiting());
        for (int i = 0; i < FlashLayout.UNIT / 4; i++) {
            LittleEndian.i32(unit, at + 4 * i, i < sums.length ? sums[i] : 0);
        }
    }

    private synchronized List<Consumer<@Nullable CrailException>> takeWaiting() {
        List<Consumer<@Nullable CrailException>> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    private void ended(
            UnitIo units,
            List<Consumer<@Nullable CrailException>> served,
            @Nullable CrailException cause) {
        boolean more;
        synchronized (this) {
            more = !waiting.isEmpty();
            busy = more;
        }
        if (more) {
            goOn(units);
        }
        served.forEach(each -> each.accept(cause));
    }

    synchronized boolean isBusy() {
        return busy;
    }
}
