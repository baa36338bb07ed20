// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.frame.WireWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps values of 0 bytes to 64 KiB outside the heap, each under a handle.
 *
 * <p>Arenas of 1 MiB are cut into runs, a run into chunks of one size ({@link SizeClasses}): 104
 * bytes for a value of 100, and 2 bytes of heap for its length. Runs are 128 KiB, or a whole arena
 * for chunks above 8 KiB, so that little is left over at their ends. A run whose last value goes
 * returns to its arena, for any other class; each class keeps one, lest one value that comes and
 * goes makes and drops runs.
 *
 * <p>Not thread-safe: owned by the engine thread. A handle is good until it is freed; one that is
 * used afterwards is a defect of the caller and throws {@link IllegalStateException} unless its
 * chunk has been taken again. No allocation per value except where a run or an arena is added.
 */
public final class InlineMemory {
    /** Largest value, in bytes. */
    public static final int MAX_VALUE = 64 << 10;

    /** The handle of every value of 0 bytes; it takes no memory. */
    public static final long EMPTY = 0;

    /** Chunks above this size come from runs of a whole arena. */
    private static final int LARGE = 8 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private long limitBytes;
    private final String limitKey;
    private final Arenas arenas;

    /** By run id; handles name their run by its id + 1, so that none is {@link #EMPTY}. */
    private @Nullable Run[] runs = new @Nullable Run[Arena.UNITS];

    /** By class: the first run that has a free chunk. */
    private final @Nullable Run[] available = new @Nullable Run[SizeClasses.COUNT];

    private long usedBytes;
    private long values;

    /**
     * An empty memory; arenas are taken as they are needed.
     *
     * @param limitBytes most direct memory to take, at least 1 MiB
     * @param limitKey configuration key of this limit, for messages
     */
    public InlineMemory(long limitBytes, String limitKey) {
        this(limitBytes, limitKey, ByteBuffer::allocateDirect);
    }

    InlineMemory(long limitBytes, String limitKey, IntFunction<ByteBuffer> memory) {
        if (limitBytes < Arena.BYTES) {
            throw new IllegalArgumentException(
                    limitKey + " is " + limitBytes + " bytes, must be at least 1 MiB");
        }
        this.limitBytes = limitBytes;
        this.limitKey = limitKey;
        this.arenas = new Arenas(limitBytes, limitKey, memory);
    }

    /**
     * Keeps a copy of the bytes from position to limit of {@code source}, whose position stays.
     *
     * @throws OutOfSpaceException if the limit is reached; nothing has changed
     */
    public long allocate(ByteBuffer source) throws OutOfSpaceException {
        int length = source.remaining();
        if (length == 0) {
            return EMPTY;
        }
        if (length > MAX_VALUE) {
            throw new IllegalArgumentException(
                    "inline value of " + length + " bytes, at most " + MAX_VALUE);
        }
        int sizeClass = SizeClasses.of(length);
        Run run = available[sizeClass];
        if (run == null) {
            run = addRun(sizeClass, length);
        }
        int chunk = run.take(length);
        if (run.isFull()) {
            unlink(run);
        }
        run.arena.buffer.put(run.offset(chunk), source, source.position(), length);
        usedBytes += run.chunkSize;
        values++;
        return ((run.id + 1L) << 16) | chunk;
    }

    /** Length of a value in bytes. */
    public int length(long handle) {
        return handle == EMPTY ? 0 : run(handle).length(chunk(handle));
    }

    /** Appends a value's bytes, without their length. */
    public void read(long handle, WireWriter target) {
        target.raw(view(handle));
    }

    /** Puts a value's bytes at the position of {@code target}, which moves behind them. */
    public void read(long handle, ByteBuffer target) {
        target.put(view(handle));
    }

    /**
     * A value's bytes, read-only, from position to limit. The buffer is lent until the next call of
     * this object: it is the same one for all values of an arena.
     */
    public ByteBuffer view(long handle) {
        if (handle == EMPTY) {
            return NOTHING;
        }
        Run run = run(handle);
        int chunk = chunk(handle);
        int offset = run.offset(chunk);
        return run.arena.view.limit(offset + run.length(chunk)).position(offset);
    }

    /** Forgets a value. */
    public void free(long handle) {
        if (handle == EMPTY) {
            return;
        }
        Run run = run(handle);
        boolean wasFull = run.isFull();
        run.release(chunk(handle));
        usedBytes -= run.chunkSize;
        values--;
        if (wasFull) {
            link(run);
        }
        if (run.isEmpty() && (run.previous != null || run.next != null)) {
            removeRun(run);
        }
    }

    /** Bytes of the chunks in use, the unused ends included. */
    public long usedBytes() {
        return usedBytes;
    }

    /** Direct memory taken so far. */
    public long reservedBytes() {
        return arenas.reservedBytes();
    }

    /** Most direct memory to take. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Sets another limit; memory taken beyond it stays, but no more is taken. */
    public void setLimit(long bytes) {
        limitBytes = bytes;
        arenas.setLimit(bytes);
    }

    /** Number of values, those of 0 bytes not counted. */
    public long values() {
        return values;
    }

    private static int chunk(long handle) {
        return (int) handle & 0xFFFF;
    }

    private Run run(long handle) {
        long id = (handle >>> 16) - 1;
        Run run = id >= 0 && id < runs.length ? runs[(int) id] : null;
        if (run == null || !run.holds(chunk(handle))) {
            throw new IllegalStateException(
                    "handle " + Long.toHexString(handle) + " names no inline value");
        }
        return run;
    }

    private static boolean isLarge(int sizeClass) {
        return SizeClasses.size(sizeClass) > LARGE;
    }

    private Run addRun(int sizeClass, int length) throws OutOfSpaceException {
        boolean whole = isLarge(sizeClass);
        if (!arenas.canTake(whole)) {
            dropEmptyRuns();
            if (!arenas.canTake(whole)) {
                throw new OutOfSpaceException(
                        "no memory for an inline value of "
                                + length
                                + " bytes: "
                                + usedBytes
                                + " bytes are in use, "
                                + arenas.reservedBytes()
                                + " reserved, limit "
                                + limitBytes
                                + "; raise "
                                + limitKey
                                + " or delete values");
            }
        }
        Run run = arenas.take(sizeClass, whole);
        if (run.id >= runs.length) {
            int larger = Math.max(runs.length * 2, arenas.count() * Arena.UNITS);
            runs = Arrays.copyOf(runs, larger);
        }
        runs[run.id] = run;
        link(run);
        return run;
    }

    /** The runs that classes keep for the next value, when another class needs the memory. */
    private void dropEmptyRuns() {
        for (Run run : available) {
            if (run != null && run.isEmpty()) {
                removeRun(run);
            }
        }
    }

    private void removeRun(Run run) {
        unlink(run);
        runs[run.id] = null;
        arenas.give(run, isLarge(run.sizeClass));
    }

    private void link(Run run) {
        Run head = available[run.sizeClass];
        run.next = head;
        if (head != null) {
            head.previous = run;
        }
        available[run.sizeClass] = run;
    }

    private void unlink(Run run) {
        Run before = run.previous;
        Run after = run.next;
        if (before == null) {
            available[run.sizeClass] = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        run.previous = null;
        run.next = null;
    }
}
