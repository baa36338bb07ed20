// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.error.StaleReferenceException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.StoredCounter;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client does itself where no target guards blocks: lets a write begin only for a block that
 * still has its generation, and knows up to which epoch nothing of revoked blocks is under way.
 *
 * <p><b>Argument.</b> The storage server makes a raised counter lasting, and raises the epoch after
 * that. A write enters under the epoch that was read last, and only if its block's counter was read
 * after that epoch was. So a write that entered under an epoch is not one to a block that an epoch
 * up to that one has told of; and {@link #acknowledged}, below which nobody is inside, is one up to
 * which all such blocks are at rest as far as this connection goes. It does not matter where a
 * thread stood still: it was inside, or it had not entered. In addition nobody enters whose last
 * reading of the epoch is older than the validity, which is all that bounds this where nothing can
 * be acknowledged.
 *
 * <p>Thread-safe. Callbacks are made without the lock, in the calling thread or in one of the
 * fabric. Those who wait are no more than there are transfers.
 */
final class BlockGate {
    /** Blocks whose counter was read under the epoch of now; then all are read anew. */
    private static final int KNOWN = 8192;

    /** Who wants to write. */
    interface Writer {
        /** It may; obliges to {@link BlockGate#exit} with that token when all of it has ended. */
        void entered(long token);

        void refused(CrailException why);
    }

    private record Key(int record, long generation) {
        static Key of(BlockReference block) {
            return new Key(block.record(), block.generation());
        }
    }

    private final UnitIo units;
    private final String peer;
    private final long validityNanos;
    private final LongSupplier clock;

    /** Guarded by this, as are all that follow. */
    private final Set<Key> valid = new HashSet<>();

    /** How many are inside, by the epoch under which they entered. */
    private final TreeMap<Long, Integer> inside = new TreeMap<>();

    private List<Runnable> waiting = new ArrayList<>();
    private long epoch;
    private long lookedAt;
    private @Nullable CrailException closed;

    /**
     * @param epoch as it was read
     * @param lookedAt when that reading began
     */
    BlockGate(
            UnitIo units,
            String peer,
            long validityNanos,
            LongSupplier clock,
            long epoch,
            long lookedAt) {
        this.units = units;
        this.peer = peer;
        this.validityNanos = validityNanos;
        this.clock = clock;
        this.epoch = epoch;
        this.lookedAt = lookedAt;
    }

    void enter(BlockReference block, Writer writer) {
        long token;
        boolean known;
        CrailException refusal;
        synchronized (this) {
            refusal = closed;
            token = epoch;
            known = valid.contains(Key.of(block));
            if (refusal == null) {
                if (clock.getAsLong() - lookedAt > validityNanos) {
                    waiting.add(() -> enter(block, writer));
                    return;
                }
                inside.merge(token, 1, Integer::sum);
            }
        }
        if (refusal != null) {
            writer.refused(refusal);
        } else if (known) {
            writer.entered(token);
        } else {
            validate(block, token, writer);
        }
    }

    /** Reads the block's counter; inside already. */
    private void validate(BlockReference block, long token, Writer writer) {
        checkCounter(
                units,
                peer,
                block,
                cause -> {
                    if (cause == null) {
                        isValid(block, token);
                        writer.entered(token);
                    } else {
                        exit(token);
                        writer.refused(cause);
                    }
                });
    }

    private synchronized void isValid(BlockReference block, long token) {
        if (token == epoch) {
            if (valid.size() >= KNOWN) {
                valid.clear();
            }
            valid.add(Key.of(block));
        }
    }

    /** A write that had entered has ended, with all of its commands. */
    synchronized void exit(long token) {
        inside.computeIfPresent(token, (key, count) -> count == 1 ? null : count - 1);
    }

    /** The epoch was read. */
    void looked(long found, long at) {
        List<Runnable> released;
        synchronized (this) {
            if (found != epoch) {
                epoch = found;
                valid.clear();
            }
            lookedAt = at;
            released = waiting;
            waiting = new ArrayList<>();
        }
        released.forEach(Runnable::run);
    }

    /** The highest epoch below which nobody is inside, nor ever will be. */
    synchronized long acknowledged() {
        return inside.isEmpty() ? epoch : inside.firstKey();
    }

    synchronized boolean isEmpty() {
        return inside.isEmpty();
    }

    /** Nobody enters any more. */
    void close(CrailException cause) {
        List<Runnable> released;
        synchronized (this) {
            closed = cause;
            released = waiting;
            waiting = new ArrayList<>();
        }
        released.forEach(Runnable::run);
    }

    /** Compares a reference with the block's counter as it is on the medium. */
    static void checkCounter(
            UnitIo units,
            String peer,
            BlockReference block,
            Consumer<@Nullable CrailException> then) {
        long position = FlashLayout.counterOffset(FlashLayout.slotOf(block.record()));
        long start = position & -FlashLayout.UNIT;
        int[] found = new int[1];
        units.readUnit(
                block,
                start,
                unit -> found[0] = counterIn(unit, (int) (position - start)),
                cause ->
                        then.accept(
                                cause != null || found[0] == Generation.counter(block.generation())
                                        ? cause
                                        : new StaleReferenceException(
                                                peer + ": " + block + ": freed or granted again")));
    }

    private static int counterIn(ByteBuffer unit, int at) {
        return StoredCounter.counter(unit.getInt(at));
    }
}
