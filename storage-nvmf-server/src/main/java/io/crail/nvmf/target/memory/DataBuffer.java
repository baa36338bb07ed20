// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import java.nio.ByteBuffer;

/**
 * A piece of the pool. It has one holder at a time, who may hand it to another thread and gives it
 * back once; the memory holds what the last holder left in it.
 */
public final class DataBuffer {
    private final DataPool pool;
    private final Arena arena;
    private final ByteBuffer bytes;
    private boolean taken;
    private DataShare holder = new DataShare();

    DataBuffer(DataPool pool, Arena arena, ByteBuffer bytes) {
        this.pool = pool;
        this.arena = arena;
        this.bytes = bytes;
    }

    /** The memory, aligned to {@link DataPool#ALIGNMENT}; position and limit are the holder's. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public int capacity() {
        return bytes.capacity();
    }

    /**
     * Gives the memory back; the caller and its views must not touch it any more.
     *
     * @throws IllegalStateException if it was given back before
     */
    public void release() {
        pool.release(this);
    }

    Arena arena() {
        return arena;
    }

    /** Guarded by the pool. */
    void holder(DataShare share) {
        holder = share;
    }

    /** Guarded by the pool. */
    DataShare holder() {
        return holder;
    }

    /** Guarded by the pool. */
    boolean setTaken(boolean now) {
        boolean before = taken;
        taken = now;
        return before;
    }
}
