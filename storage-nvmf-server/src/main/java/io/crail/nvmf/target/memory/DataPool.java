// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A fixed amount of direct memory, lent in buffers of powers of two.
 *
 * <p>All memory is allocated at the start, so that a limit that the JVM cannot keep is an error of
 * the start and not of a command. It consists of arenas of the largest buffer's size. An arena is
 * cut into buffers of one size, and cut anew for another size when all of them are back: so at most
 * one partly used arena for each size is waste, and small commands cannot split the memory for good
 * that a large one needs.
 *
 * <p>Thread-safe: one lock guards all, held for a few loads and stores. Nobody waits in here: who
 * gets no buffer returns to its event loop, and {@code onRoom} is called by the next release.
 */
public final class DataPool {
    /** What a medium opened for direct I/O needs at most of address, position and length. */
    public static final int ALIGNMENT = 4096;

    /** So much at a time: more does not fit into one buffer, once it is aligned. */
    private static final int REGION = 1 << 30;

    private final long capacity;
    private final int arenaBytes;
    private final Runnable onRoom;

    /** Arenas without a taken buffer. */
    private final Set<Arena> idle = new LinkedHashSet<>();

    /** Arenas with taken and free buffers, by the size of these. */
    private final Map<Integer, Set<Arena>> partial = new HashMap<>();

    private boolean refused;
    private long used;
    private long peak;
    private long refusals;

    /**
     * Allocates the pool.
     *
     * @param capacity bytes, at least two largest buffers; what does not fill one is left out
     * @param largest bytes of the largest buffer, a power of two, at least {@link #ALIGNMENT}
     * @param onRoom called, outside any lock, by a release after a refusal
     * @throws OutOfMemoryError if the JVM does not have as much direct memory
     */
    public DataPool(long capacity, int largest, Runnable onRoom) {
        if (Integer.bitCount(largest) != 1 || largest < ALIGNMENT || capacity < 2L * largest) {
            throw new IllegalArgumentException(
                    "a pool of " + capacity + " bytes with buffers up to " + largest);
        }
        this.arenaBytes = largest;
        this.onRoom = onRoom;
        List<Arena> arenas = new ArrayList<>();
        long number = capacity / largest;
        int most = REGION / largest;
        while (arenas.size() < number) {
            int next = (int) Math.min(number - arenas.size(), most);
            ByteBuffer region = HugePages.allocate(next * largest);
            for (int index = 0; index < next; index++) {
                arenas.add(new Arena(region.slice(index * largest, largest)));
            }
        }
        idle.addAll(arenas);
        this.capacity = (long) arenas.size() * largest;
    }

    /** Direct memory at an aligned address. */
    public static ByteBuffer aligned(int bytes) {
        int whole = (bytes + ALIGNMENT - 1) & -ALIGNMENT; // slices end at whole units, too
        return ByteBuffer.allocateDirect(whole + ALIGNMENT).alignedSlice(ALIGNMENT).slice(0, bytes);
    }

    /**
     * Takes a buffer.
     *
     * @param bytes what it must hold, at most the largest size
     * @return a cleared buffer, or null if there is none now
     */
    public @Nullable DataBuffer take(int bytes) {
        return take(bytes, new DataShare());
    }

    /**
     * Takes a buffer for somebody.
     *
     * @param bytes what it must hold, at most the largest size
     * @param share of who takes it
     * @return a cleared buffer, or null if there is none now, or none for them
     */
    public @Nullable DataBuffer take(int bytes, DataShare share) {
        int size = sizeFor(bytes);
        synchronized (this) {
            Set<Arena> started = partial.computeIfAbsent(size, any -> new LinkedHashSet<>());
            Arena arena = null;
            if (share.mayTake(size, capacity - used)) {
                arena = started.isEmpty() ? start(size, started) : started.iterator().next();
            }
            if (arena == null) {
                refused = true;
                refusals++;
                return null;
            }
            DataBuffer buffer = arena.take();
            buffer.setTaken(true);
            buffer.holder(share);
            share.took(size);
            if (arena.isFull()) {
                started.remove(arena);
            }
            used += size;
            peak = Math.max(peak, used);
            buffer.bytes().clear();
            return buffer;
        }
    }

    private int sizeFor(int bytes) {
        if (bytes < 0 || bytes > arenaBytes) {
            throw new IllegalArgumentException(
                    "no buffer has " + bytes + " bytes, the largest has " + arenaBytes);
        }
        return bytes <= ALIGNMENT ? ALIGNMENT : Integer.highestOneBit(bytes - 1) << 1;
    }

    private @Nullable Arena start(int size, Set<Arena> started) {
        Arena chosen = null;
        for (Arena each : idle) {
            chosen = each;
            if (each.pieceBytes() == size) {
                break;
            }
        }
        if (chosen != null) {
            idle.remove(chosen);
            if (chosen.pieceBytes() != size) {
                chosen.cut(this, size);
            }
            started.add(chosen);
        }
        return chosen;
    }

    void release(DataBuffer buffer) {
        boolean wanted;
        synchronized (this) {
            if (!buffer.setTaken(false)) {
                throw new IllegalStateException("a buffer was given back twice");
            }
            Arena arena = buffer.arena();
            Set<Arena> started = partial.get(arena.pieceBytes());
            if (started == null) {
                throw new IllegalStateException("a buffer of another pool was given back");
            }
            arena.giveBack(buffer);
            used -= buffer.capacity();
            buffer.holder().gaveBack(buffer.capacity());
            if (arena.isIdle()) {
                started.remove(arena);
                idle.add(arena);
            } else {
                started.add(arena);
            }
            wanted = refused;
            refused = false;
        }
        if (wanted) {
            onRoom.run();
        }
    }

    /** Bytes that can be lent. */
    public long capacity() {
        return capacity;
    }

    /** Bytes of the largest buffer. */
    public int largest() {
        return arenaBytes;
    }

    /** Bytes that are lent now. */
    public synchronized long used() {
        return used;
    }

    /** Most bytes that were ever lent at a time. */
    public synchronized long peak() {
        return peak;
    }

    /** How often there was no buffer. */
    public synchronized long refusals() {
        return refusals;
    }
}
