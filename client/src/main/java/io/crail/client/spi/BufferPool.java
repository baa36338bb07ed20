// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Direct memory, pooled, sliced from large slabs, bounded. Thread-safe. */
public interface BufferPool {
    /** Largest buffer, and size of a slab: 1 MiB. */
    int MAX_BUFFER = 1 << 20;

    /** Smallest buffer: 4 KiB, also the alignment of all. */
    int MIN_BUFFER = 4 << 10;

    /** A lent buffer. Belongs to the borrower until {@link #close}, which gives it back, once. */
    interface Lease extends AutoCloseable {
        /** The buffer, little-endian, with at least the capacity asked for. */
        ByteBuffer buffer();

        /** Number of the slab it lies in; with {@link #offset} it names registered memory. */
        int slab();

        int offset();

        @Override
        void close();
    }

    /** Hears of slabs, so that it can register their memory with a device once. */
    @FunctionalInterface
    interface SlabListener {
        void slab(int number, ByteBuffer memory);
    }

    /**
     * Lends a buffer of at least {@code bytes}, or null when the pool is exhausted.
     *
     * @param bytes 1 .. {@link #MAX_BUFFER}
     */
    @Nullable Lease tryAcquire(int bytes);

    /**
     * As {@link #tryAcquire}, for what the client cannot work without, such as the buffers of a
     * connection: a part of the pool is kept for that, so that data cannot block its own way.
     */
    @Nullable Lease tryAcquireReserved(int bytes);

    /**
     * Calls back once, when a buffer has come back to the pool; at once if there is room for {@code
     * bytes}. Tells the pressure listeners if there is none.
     */
    void whenAvailable(int bytes, Runnable callback);

    /** Adds somebody who can let go of memory when others need it; must not block. */
    void addPressureListener(Runnable listener);

    void removePressureListener(Runnable listener);

    /** Tells the listener of all slabs, those of now and those of later. */
    void addSlabListener(SlabListener listener);
}
