// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Engine;
import io.crail.client.rpc.Session;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks granted ahead for values, so that a put is one copy and one call. Thread-safe.
 *
 * <p><b>Lots.</b> The answer to a put brings the blocks for one further value of its table: a lot,
 * which is used as a whole. Lots of one table are never used for another, whose blocks may belong
 * elsewhere. Sizes are asked for in coarse steps, so that values of about the same length share
 * them; a value takes a lot only if little of it stays empty.
 *
 * <p><b>How many.</b> A put asks for the one lot that replaces what it used. So there are as many
 * as there were puts under way at once, within the bounds, which count what is asked for, too.
 *
 * <p><b>Until when.</b> Nobody else can have these blocks, so what was not used for a second goes
 * back; the newest is used first, which leaves the others to age. The same when the namenode has
 * begun another life. With the session its grants are gone.
 */
final class ValueStock {
    static final int MAX_BLOCKS = 64;
    static final long MAX_BYTES = 16L << 20;
    static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Lengths are rounded up to this part of the power of two below them. */
    private static final int STEPS = 8;

    /** At most this part of a value's length stays empty in its lot. */
    private static final int WASTE = 4;

    /**
     * The blocks for one value.
     *
     * @param table path of its TABLE
     * @param blocks in the order in which to use them
     * @param wanted what they were asked for
     * @param bytes what they hold together, which is more if there were no others
     * @param since when they came
     */
    private record Lot(
            ByteBuffer table, List<BlockReference> blocks, long wanted, long bytes, long since) {
        boolean fits(ByteBuffer path, long length) {
            long empty = bytes - length;
            return empty >= 0
                    && (rounded(length) == wanted || empty * WASTE <= length)
                    && table.equals(path);
        }
    }

    /** A wish that travels with a put: {@link #answered} or {@link #refused} ends it. */
    record Wish(ByteBuffer table, long bytes, int blocks) {}

    private final Engine engine;
    private final Session session;

    /** The newest first. */
    private final ArrayDeque<Lot> lots = new ArrayDeque<>();

    private long bytes;
    private int blocks;
    private int incarnation;
    private long epoch;
    private boolean timing;

    ValueStock(Engine engine, Session session) {
        this.engine = engine;
        this.session = session;
    }

    /** Length that is asked for after a value of a length. */
    static long rounded(long length) {
        long step = Math.max(BlockGeometry.SLOT_SIZE, Long.highestOneBit(length) / STEPS);
        return (length + step - 1) / step * step;
    }

    /** How many blocks hold a rounded length: one for each of its parts that is a power of two. */
    private static int blocksFor(long length) {
        return (int) (length / BlockGeometry.MAX_BLOCK)
                + Long.bitCount(length % BlockGeometry.MAX_BLOCK);
    }

    private void checkSession() {
        if (incarnation != session.incarnation()) {
            lots.forEach(lot -> count(lot, -1));
            lots.clear();
            incarnation = session.incarnation();
        }
        if (epoch != session.epoch()) {
            epoch = session.epoch();
            giveBack(lot -> true);
        }
    }

    /**
     * The blocks for a value, granted to the session of an incarnation; empty if there are none.
     */
    synchronized List<BlockReference> take(byte[] table, long length, int of) {
        checkSession();
        if (of != incarnation) {
            return List.of();
        }
        ByteBuffer path = ByteBuffer.wrap(table);
        for (Iterator<Lot> all = lots.iterator(); all.hasNext(); ) {
            Lot lot = all.next();
            if (lot.fits(path, length)) {
                all.remove();
                count(lot, -1);
                return lot.blocks();
            }
        }
        return List.of();
    }

    private void count(Lot lot, int sign) {
        bytes += sign * lot.bytes();
        blocks += sign * lot.blocks().size();
    }

    /** What to ask for with the put of a value; null if there is no room for more. */
    synchronized @Nullable Wish wish(byte[] table, long length) {
        long next = rounded(length);
        int count = blocksFor(next);
        if (bytes + next > MAX_BYTES || blocks + count > MAX_BLOCKS) {
            return null;
        }
        bytes += next;
        blocks += count;
        return new Wish(ByteBuffer.wrap(table), next, count);
    }

    private void end(Wish wish) {
        bytes -= wish.bytes();
        blocks -= wish.blocks();
    }

    /** The put brought these blocks, of a session. */
    synchronized void answered(Wish wish, List<BlockReference> granted, int of) {
        checkSession();
        end(wish);
        if (of != incarnation || granted.isEmpty()) {
            return;
        }
        long held = 0;
        for (BlockReference block : granted) {
            held += block.length();
        }
        if (bytes + held > MAX_BYTES || blocks + granted.size() > MAX_BLOCKS) {
            // In other sizes than were asked for.
            session.returnBlocks(BlockReference.ids(granted), incarnation);
            return;
        }
        Lot lot =
                new Lot(wish.table(), List.copyOf(granted), wish.bytes(), held, engine.nanoTime());
        count(lot, 1);
        lots.addFirst(lot);
        returnLater(IDLE_NANOS);
    }

    /** The put brought nothing. */
    synchronized void refused(Wish wish) {
        end(wish);
    }

    /** A server did not answer: its blocks are not used. */
    synchronized void exclude(int server) {
        checkSession();
        giveBack(lot -> lot.blocks().stream().anyMatch(block -> block.server() == server));
    }

    /** Takes everything out, for somebody who needs the room and gives it back. */
    synchronized List<BlockId> drain() {
        checkSession();
        return remove(lot -> true);
    }

    private void giveBack(Predicate<Lot> which) {
        session.returnBlocks(remove(which), incarnation);
    }

    private List<BlockId> remove(Predicate<Lot> which) {
        List<BlockId> removed = new ArrayList<>();
        for (Iterator<Lot> all = lots.iterator(); all.hasNext(); ) {
            Lot lot = all.next();
            if (which.test(lot)) {
                all.remove();
                count(lot, -1);
                lot.blocks().forEach(block -> removed.add(block.id()));
            }
        }
        return removed;
    }

    private void returnLater(long nanos) {
        if (!timing) {
            timing = true;
            engine.housekeeper().after(nanos, this::returnIdle);
        }
    }

    /** Comes again as long as there is something that may become idle. */
    private synchronized void returnIdle() {
        timing = false;
        checkSession();
        long now = engine.nanoTime();
        giveBack(lot -> now - lot.since() >= IDLE_NANOS);
        if (!lots.isEmpty()) {
            returnLater(IDLE_NANOS - (now - lots.getLast().since()));
        }
    }
}
