// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

import io.crail.error.OutOfSpaceException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The arenas: taken from the JVM one by one as they are needed, up to a limit, and kept. (Direct
 * memory goes back to the system only by garbage collection, at a time nobody knows.) Runs fill
 * arenas that are already in use first, so that others become empty and can serve large chunks.
 */
final class Arenas {
    private static final Logger LOG = LoggerFactory.getLogger(Arenas.class);

    private final IntFunction<ByteBuffer> memory;
    private final String limitKey;
    private final List<Arena> arenas = new ArrayList<>();
    private final BitSet partial = new BitSet();
    private final BitSet empty = new BitSet();
    private int maxArenas;

    Arenas(long limitBytes, String limitKey, IntFunction<ByteBuffer> memory) {
        this.limitKey = limitKey;
        this.memory = memory;
        setLimit(limitBytes);
    }

    void setLimit(long bytes) {
        maxArenas = (int) Math.min(bytes / Arena.BYTES, Integer.MAX_VALUE / Arena.UNITS);
    }

    int count() {
        return arenas.size();
    }

    long reservedBytes() {
        return (long) arenas.size() * Arena.BYTES;
    }

    /** Whether a run can be had without more memory than is allowed. */
    boolean canTake(boolean whole) {
        return !empty.isEmpty() || (!whole && !partial.isEmpty()) || arenas.size() < maxArenas;
    }

    /** A run of one unit, or of a whole arena for classes of large chunks. */
    Run take(int sizeClass, boolean whole) throws OutOfSpaceException {
        int at = whole ? -1 : partial.nextSetBit(0);
        if (at < 0) {
            at = empty.nextSetBit(0);
        }
        Arena arena = at >= 0 ? arenas.get(at) : grow();
        empty.clear(arena.index);
        int unit = 0;
        if (whole) {
            arena.takeAll();
        } else {
            unit = arena.takeUnit();
            partial.set(arena.index, !arena.isFull());
        }
        int bytes = whole ? Arena.BYTES : Arena.UNIT_BYTES;
        int id = arena.index * Arena.UNITS + unit;
        return new Run(id, arena, unit * Arena.UNIT_BYTES, bytes, sizeClass);
    }

    void give(Run run, boolean whole) {
        Arena arena = run.arena;
        if (whole) {
            arena.releaseAll();
        } else {
            arena.releaseUnit(run.base / Arena.UNIT_BYTES);
        }
        partial.set(arena.index, !arena.isEmpty());
        empty.set(arena.index, arena.isEmpty());
    }

    private Arena grow() throws OutOfSpaceException {
        if (arenas.size() >= maxArenas) {
            throw new OutOfSpaceException("no arena left below " + limitKey);
        }
        ByteBuffer buffer;
        try {
            buffer = memory.apply(Arena.BYTES);
        } catch (OutOfMemoryError e) {
            // The JVM collects garbage and waits before it throws; asking again for every value
            // would stop the namenode, so what there is becomes the limit.
            maxArenas = arenas.size();
            LOG.warn(
                    "no direct memory for inline values beyond {} bytes, though {} allows more;"
                            + " raise -XX:MaxDirectMemorySize or lower {}",
                    reservedBytes(),
                    limitKey,
                    limitKey);
            throw new OutOfSpaceException(
                    "the JVM has no direct memory for inline values beyond "
                            + reservedBytes()
                            + " bytes; raise -XX:MaxDirectMemorySize or lower "
                            + limitKey,
                    e);
        }
        Arena arena = new Arena(arenas.size(), buffer);
        arenas.add(arena);
        return arena;
    }
}
