// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import io.crail.protocol.block.Generation;
import io.crail.protocol.message.AuditSegment;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.TierSegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * In-flight references and revocation of the blocks of one segment.
 *
 * <p><b>Threads.</b> {@link #acquire} and {@link #release} are called by any number of event loops
 * and take no lock but in the release that ends a revocation. {@link #revoke} and {@link #counters}
 * take the lock of this table and are rare. Listeners hear of freed blocks without the lock.
 *
 * <p><b>State.</b> A word per slot: bit 31 says that a revocation is under way, the other bits
 * count references. A block uses the word of its first slot, as it uses that slot's generation
 * word; the namenode never lets two blocks overlap unless all but one are free.
 *
 * <p><b>Why no request touches a block after it was reported freed.</b> acquire(g) first adds 1 to
 * the count in a CAS that fails when bit 31 is set, <i>then</i> compares the generation word with g
 * and gives the reference back when they differ. revoke(g) sets bit 31 together with a reference of
 * its own (one CAS), then raises the word, then a full fence, then drops its reference, when the
 * raised word is kept for good. All these accesses are sequentially consistent. Take an acquire
 * that succeeded:
 *
 * <ul>
 *   <li>Its CAS came before the one that set bit 31: it is counted, the count cannot reach 0 before
 *       its release, and whoever brings the count to 0 reports the block. So it is waited for.
 *   <li>Its CAS came after bit 31 was cleared: then the word had been raised before, since bit 31
 *       is cleared only after the revoker dropped the reference that it held while raising. The
 *       comparison sees the new word and the request of g is refused.
 * </ul>
 *
 * <p>While bit 31 is set the count only falls; each reference is dropped once, so exactly one
 * release sees it reach 0, and that one ends the revocation. A reference that outlives the caller's
 * patience is ended by closing its connection, which releases it: see {@link #isPending}.
 *
 * <p><b>Repetition.</b> A second revoke of the same generation joins the one under way. One that
 * finds the word raised and nothing under way is answered with the word: whoever held the old
 * generation has gone, in this process by the argument above, in an earlier one with its sockets,
 * and pins that outlive a process are put under way again when the table is made.
 *
 * <p><b>Mapped segments.</b> Processes on this host touch blocks without asking, under pins
 * (docs/adr/0007-shared-memory.md). The scan for pins comes last, after the word was raised, a full
 * fence, and the last reference: a pin that it does not see will see the raised word and give up,
 * so one scan without a find is final. A block that is pinned stays under way; {@link #recheck}
 * looks again.
 *
 * <p><b>Registration.</b> {@link #counters} shows the old counter of blocks under way: the word is
 * raised already, but the namenode takes a raised word for a freed block.
 */
public final class BlockTable implements TierSegment {
    private static final int REVOKING = 1 << 31;
    private static final int COUNT = ~REVOKING;

    /** Never a generation: counters start at 1. */
    private static final long NONE = 0;

    /** A revocation that waits for references, then for pins. Guarded by the lock of the table. */
    private static final class Pending {
        final long oldGeneration;
        final long newGeneration;
        final List<FreedListener> listeners = new ArrayList<>(1);
        boolean pinned;

        Pending(long oldGeneration, long newGeneration) {
            this.oldGeneration = oldGeneration;
            this.newGeneration = newGeneration;
        }
    }

    private final BlockWords words;
    private final Pins pins;
    private final AtomicIntegerArray references;
    private final Map<Integer, Pending> pending = new HashMap<>();
    private volatile int pinned;

    /** A table of a segment that nobody else maps. */
    public BlockTable(BlockWords words) {
        this(words, Pins.NONE);
    }

    /**
     * A table of a segment that clients may map. Pins under a lower generation than the block's
     * word are those of revocations that an earlier run of the server did not finish.
     */
    public BlockTable(BlockWords words, Pins pins) {
        this.words = words;
        this.pins = pins;
        this.references = new AtomicIntegerArray(words.slots());
        for (Pins.Pin pin : pins.all(words.number())) {
            resume(pin);
        }
    }

    private void resume(Pins.Pin pin) {
        int slot = pin.slot();
        if (slot < 0 || slot >= references.length()) {
            return;
        }
        long word = words.generation(slot);
        synchronized (pending) {
            if (isBefore(pin.generation(), word) && !pending.containsKey(slot)) {
                Pending resumed = new Pending(pin.generation(), word);
                resumed.pinned = true;
                pending.put(slot, resumed);
                pinned++;
                references.set(slot, REVOKING);
            }
        }
    }

    public BlockWords words() {
        return words;
    }

    @Override
    public int number() {
        return words.number();
    }

    @Override
    public int incarnation() {
        return words.incarnation();
    }

    @Override
    public long dataBytes() {
        return words.dataBytes();
    }

    /**
     * Takes a reference on the block at {@code slot} if its generation is {@code generation}; true
     * obliges the caller to {@link #release} it once. A slot out of range is refused.
     */
    public boolean acquire(int slot, long generation) {
        if (slot < 0 || slot >= references.length()) {
            return false;
        }
        int word;
        do {
            word = references.get(slot);
            if ((word & REVOKING) != 0 || (word & COUNT) == COUNT) {
                return false;
            }
        } while (!references.compareAndSet(slot, word, word + 1));
        if (words.generation(slot) == generation) {
            return true;
        }
        release(slot);
        return false;
    }

    /** Drops a reference; ends the revocation under way if it was the last. */
    public void release(int slot) {
        int left = references.decrementAndGet(slot);
        assert (left & COUNT) != COUNT : "more releases than references";
        if (left == REVOKING) {
            finish(slot, false);
        }
    }

    /** Whether the reference's block still has the generation; false means revoked meanwhile. */
    public boolean isCurrent(int slot, long generation) {
        return words.generation(slot) == generation;
    }

    /**
     * Fences the block at {@code slot}: see the class comment. The listener may be called before
     * this method returns.
     *
     * @return false if the generation is one that this block has not had yet, or the slot is out of
     *     range: nothing was done and nobody will be called
     */
    public boolean revoke(int slot, long generation, FreedListener listener) {
        if (slot < 0 || slot >= references.length()) {
            return false;
        }
        long free;
        synchronized (pending) {
            Pending underWay = pending.get(slot);
            if (underWay != null && underWay.oldGeneration == generation) {
                underWay.listeners.add(listener);
                if (underWay.pinned) {
                    listener.held();
                }
                return true;
            }
            // While a revocation is under way, the raised word is nobody's generation yet.
            long current = underWay == null ? words.generation(slot) : underWay.oldGeneration;
            if (isBefore(current, generation)) {
                return false;
            }
            if (current == generation && !isRetired(current)) {
                begin(slot, generation, listener);
                free = NONE;
            } else {
                free = current;
            }
        }
        if (free == NONE) {
            words.whenKept(slot, () -> release(slot));
        } else {
            listener.freed(free);
        }
        return true;
    }

    /** Whether references of {@code generation} are still waited for. */
    public boolean isPending(int slot, long generation) {
        synchronized (pending) {
            Pending underWay = pending.get(slot);
            return underWay != null && underWay.oldGeneration == generation;
        }
    }

    @Override
    public int[] counters() {
        int[] counters = new int[words.slots()];
        synchronized (pending) {
            for (int slot = 0; slot < counters.length; slot++) {
                counters[slot] = Generation.counter(words.generation(slot));
            }
            pending.forEach(
                    (slot, revocation) ->
                            counters[slot] = Generation.counter(revocation.oldGeneration));
        }
        return counters;
    }

    /** What a check is told of a slot: flags of {@link io.crail.protocol.message.AuditSegment}. */
    int flags(int slot) {
        int flags = words.checksum(slot) == 0 ? 0 : AuditSegment.CHECKSUMS;
        if ((references.get(slot) & REVOKING) == 0) {
            return flags;
        }
        synchronized (pending) {
            Pending underWay = pending.get(slot);
            boolean held = underWay != null && underWay.pinned;
            return flags | AuditSegment.REVOKING | (held ? AuditSegment.QUARANTINED : 0);
        }
    }

    /** Blocks whose revocation waits for a pin: quarantined. */
    public int quarantined() {
        return pinned;
    }

    /** Looks again at blocks that were pinned, and ends the revocation of those that are not. */
    public void recheck() {
        if (pinned == 0) {
            return;
        }
        List<Integer> slots;
        synchronized (pending) {
            slots =
                    pending.entrySet().stream()
                            .filter(entry -> entry.getValue().pinned)
                            .map(Map.Entry::getKey)
                            .toList();
        }
        slots.forEach(slot -> finish(slot, true));
    }

    /** Marks and raises, and leaves the caller a reference to drop outside of the lock. */
    private void begin(int slot, long generation, FreedListener listener) {
        assert Thread.holdsLock(pending);
        Pending begun = new Pending(generation, generation + 1);
        begun.listeners.add(listener);
        pending.put(slot, begun);
        int word;
        do {
            word = references.get(slot);
            assert (word & REVOKING) == 0 : "two revocations of one block";
        } while (!references.compareAndSet(slot, word, (word + 1) | REVOKING));
        words.setGeneration(slot, generation + 1);
        VarHandle.fullFence();
    }

    /**
     * Nobody holds a reference any more: ends the revocation, unless the block is pinned.
     *
     * @param again whether it was found pinned before. Somebody else may have ended that revocation
     *     meanwhile, and begun the next one, whose references are not counted down yet
     */
    private void finish(int slot, boolean again) {
        Pending done;
        synchronized (pending) {
            done = pending.get(slot);
            if (done == null || (again && !done.pinned)) {
                return;
            }
            boolean held = pins.isPinned(words.number(), slot, done.oldGeneration);
            if (held != done.pinned) {
                done.pinned = held;
                pinned += held ? 1 : -1;
                if (held) {
                    done.listeners.forEach(FreedListener::held);
                }
            }
            if (held) {
                return;
            }
            pending.remove(slot);
            references.set(slot, 0);
        }
        for (FreedListener listener : done.listeners) {
            listener.freed(done.newGeneration);
        }
    }

    /** Whether two generations are of one incarnation, and {@code earlier} is lower. */
    private static boolean isBefore(long earlier, long later) {
        return Generation.incarnation(earlier) == Generation.incarnation(later)
                && Integer.compareUnsigned(Generation.counter(earlier), Generation.counter(later))
                        < 0;
    }

    /** A retired block has the last counter and is never granted: there is nothing to raise. */
    private static boolean isRetired(long word) {
        return (Generation.counter(word) & 0xFFFF_FFFFL) == Generation.MAX_COUNTER;
    }
}
