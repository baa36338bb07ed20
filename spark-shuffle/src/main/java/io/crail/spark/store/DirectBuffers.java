// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of a JVM, of sizes that are powers of two. To make one costs more than to fill it,
 * so they are kept when a task gives them back, up to a limit. What is lent is bounded by the
 * memory that Spark grants the tasks, not here. Thread-safe.
 */
public final class DirectBuffers {
    private static final int SMALLEST_BITS = 12;
    private static final int LARGEST_BITS = 20;

    /** Of the largest buffer. */
    public static final int MAX_SIZE = 1 << LARGEST_BITS;

    private final long limit;
    private final AtomicLong kept = new AtomicLong();
    private final ConcurrentLinkedDeque<ByteBuffer>[] free;

    /**
     * An empty pool.
     *
     * @param limit bytes that it keeps
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public DirectBuffers(long limit) {
        this.limit = limit;
        free = new ConcurrentLinkedDeque[LARGEST_BITS - SMALLEST_BITS + 1];
        for (int i = 0; i < free.length; i++) {
            free[i] = new ConcurrentLinkedDeque<>();
        }
    }

    /** Bytes of the buffer that one gets for so many. */
    public static int sizeFor(int bytes) {
        return 1 << bits(bytes);
    }

    private static int bits(int bytes) {
        if (bytes < 0 || bytes > MAX_SIZE) {
            throw new IllegalArgumentException(bytes + " bytes, at most " + MAX_SIZE);
        }
        return Math.max(SMALLEST_BITS, 32 - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1));
    }

    /** Lends a cleared buffer of at least so many bytes, at most {@link #MAX_SIZE}. */
    public ByteBuffer take(int bytes) {
        int bits = bits(bytes);
        @Nullable ByteBuffer used = free[bits - SMALLEST_BITS].pollFirst();
        if (used == null) {
            return ByteBuffer.allocateDirect(1 << bits);
        }
        kept.addAndGet(-used.capacity());
        return used.clear();
    }

    /** Takes a buffer back that nobody uses any more. */
    public void give(ByteBuffer buffer) {
        int size = buffer.capacity();
        if (kept.addAndGet(size) > limit) {
            kept.addAndGet(-size);
            return;
        }
        free[bits(size) - SMALLEST_BITS].addFirst(buffer);
    }

    /** Bytes that are not lent. */
    public long kept() {
        return kept.get();
    }
}
