// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bytes of the stream of one partition in a direct buffer. It begins small, because
 * most partitions of most maps are, and grows until it is worth a write of its own. Belongs to the
 * thread of the task.
 */
final class PartitionBuffer extends OutputStream implements FrameSink {
    private static final int FIRST = 16 << 10;
    private static final int GROWTH = 4;

    private final OutputFile file;
    private final int partition;
    private final int limit;
    private @Nullable ByteBuffer buffer;
    private boolean begun;
    private boolean discarded;

    /**
     * An empty buffer.
     *
     * @param limit bytes of its largest buffer, a power of two
     */
    PartitionBuffer(OutputFile file, int partition, int limit) {
        this.file = file;
        this.partition = partition;
        this.limit = limit;
    }

    /** Bytes that can be written out. */
    int collected() {
        return buffer == null ? 0 : buffer.position();
    }

    @Override
    public void write(int b) throws IOException {
        if (!discarded) {
            room().put((byte) b);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (discarded) {
            return;
        }
        int done = 0;
        while (done < length) {
            ByteBuffer target = room();
            int some = Math.min(target.remaining(), length - done);
            target.put(bytes, offset + done, some);
            done += some;
        }
    }

    @Override
    public ByteBuffer room() throws IOException {
        ByteBuffer present = buffer;
        if (present != null && present.hasRemaining()) {
            return present;
        }
        int size = limit;
        if (present == null && !begun) {
            size = Math.min(FIRST, limit);
        } else if (present != null && present.capacity() < limit) {
            size = Math.min(present.capacity() * GROWTH, limit);
        } else {
            writeOut();
        }
        ByteBuffer fresh = file.take(size);
        // While there was no memory, what was collected may have been written out.
        ByteBuffer old = buffer;
        if (old != null) {
            fresh.put(old.flip());
            file.give(old);
        }
        buffer = fresh;
        return fresh;
    }

    /** Whether some of the stream has been written out. */
    boolean isContinued() {
        return begun;
    }

    /** Appends what is collected, if anything is. */
    void writeOut() throws IOException {
        if (collected() > 0) {
            file.appendPiece(take());
        }
    }

    /**
     * What is collected, for the caller to append.
     *
     * @throws IllegalStateException if nothing is
     */
    Piece take() {
        ByteBuffer full = buffer;
        if (full == null) {
            throw new IllegalStateException("nothing is collected of partition " + partition);
        }
        buffer = null;
        boolean first = !begun;
        begun = true;
        return new Piece(partition, first, full);
    }

    /**
     * Gives the buffer back. What is written afterwards, by streams that are closed to let go of
     * what they have, is for nobody. Idempotent.
     */
    void discard() {
        discarded = true;
        ByteBuffer left = buffer;
        buffer = null;
        if (left != null) {
            file.give(left);
        }
    }
}
