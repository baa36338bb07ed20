// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Bytes on their way into one block: one WRITE. */
final class Piece {
    private final OpenBlock block;
    private final int offset;
    private final ByteBuffer data;
    private final DataOwner owner;
    private final int tail;
    private @Nullable Operation operation;
    private boolean done;
    private boolean dropped;

    /**
     * @param offset within the block
     * @param tail checksum of the partial chunk at its end, 0 at a chunk boundary
     */
    Piece(OpenBlock block, int offset, ByteBuffer data, DataOwner owner, int tail) {
        this.block = block;
        this.offset = offset;
        this.data = data;
        this.owner = owner;
        this.tail = tail;
    }

    OpenBlock block() {
        return block;
    }

    int offset() {
        return offset;
    }

    int length() {
        return data.remaining();
    }

    int endInBlock() {
        return offset + length();
    }

    long end() {
        return block.base() + endInBlock();
    }

    long start() {
        return block.base() + offset;
    }

    ByteBuffer data() {
        return data;
    }

    DataOwner owner() {
        return owner;
    }

    int tail() {
        return tail;
    }

    boolean isDone() {
        return done;
    }

    void done() {
        done = true;
        operation = null;
    }

    void underWay(Operation writing) {
        operation = writing;
    }

    @Nullable Operation operation() {
        return operation;
    }

    /** It will be written elsewhere, or not at all; its outcome no longer counts. */
    void drop() {
        dropped = true;
    }

    boolean isDropped() {
        return dropped;
    }
}
