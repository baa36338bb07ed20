// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * Direct buffers of the size that connections normally need. Idle connections give theirs back;
 * without a pool these would be garbage that only a full collection frees. Used by the loop's
 * thread only.
 */
final class BufferPool {
    /** Size of the pooled buffers. */
    static final int SIZE = 16 << 10;

    private static final int MAX_KEPT = 1024;

    private final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

    /** An empty buffer of {@link #SIZE} bytes, in little-endian order. */
    ByteBuffer take() {
        ByteBuffer buffer = kept.poll();
        return buffer == null ? allocate(SIZE) : buffer.clear();
    }

    /** Takes a buffer back that nobody uses any more; those of other sizes are dropped. */
    void give(ByteBuffer buffer) {
        if (buffer.capacity() == SIZE && kept.size() < MAX_KEPT) {
            kept.push(buffer);
        }
    }

    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
