// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Memory of the pool that is cut into buffers of one size at a time. Guarded by the pool's lock.
 */
final class Arena {
    private final ByteBuffer memory;
    private final ArrayDeque<DataBuffer> free = new ArrayDeque<>();
    private int pieceBytes;
    private int pieces;

    Arena(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Size of its buffers, 0 before it was first cut. */
    int pieceBytes() {
        return pieceBytes;
    }

    boolean isIdle() {
        return free.size() == pieces;
    }

    boolean isFull() {
        return free.isEmpty();
    }

    /** Cuts it anew; nothing of it may be taken. */
    void cut(DataPool pool, int size) {
        if (!isIdle()) {
            throw new IllegalStateException("an arena is in use");
        }
        free.clear();
        pieceBytes = size;
        pieces = memory.capacity() / size;
        for (int piece = 0; piece < pieces; piece++) {
            free.add(new DataBuffer(pool, this, memory.slice(piece * size, size)));
        }
    }

    DataBuffer take() {
        return free.pop();
    }

    void giveBack(DataBuffer buffer) {
        free.push(buffer);
    }
}
