// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that arrived on one connection and are not handled yet: from start to end of a direct
 * buffer. It grows only as bytes do arrive, so that a header which promises a large frame costs
 * nothing, and shrinks back when it was not needed for a while.
 */
final class ReceiveBuffer {
    /** What an established connection starts with, and comes back to. */
    static final int NORMAL = 16 << 10;

    /** A buffer that is filled by one read grows up to this, to save system calls. */
    private static final int BUSY = 64 << 10;

    private @Nullable ByteBuffer buffer;
    private int start;
    private int end;
    private boolean neededLarge;

    /** The buffer, in little-endian order, while there is anything in it. */
    ByteBuffer bytes() {
        ByteBuffer present = buffer;
        if (present == null) {
            throw new IllegalStateException("nothing was received");
        }
        return present;
    }

    int start() {
        return start;
    }

    int available() {
        return end - start;
    }

    int capacity() {
        return buffer == null ? 0 : buffer.capacity();
    }

    void consume(int length) {
        start += length;
        if (start == end) {
            start = 0;
            end = 0;
        }
    }

    /**
     * Reads once. Returns the bytes read, -1 at the end of the stream.
     *
     * @param frameLength length of the frame that starts here, 0 if not known yet
     * @param initial size of the buffer, if there is none
     */
    int read(ReadableByteChannel channel, int frameLength, int initial) throws IOException {
        ByteBuffer target = prepare(frameLength, initial);
        target.limit(target.capacity()).position(end);
        int free = target.remaining();
        int read = channel.read(target);
        target.clear();
        if (read > 0) {
            end += read;
        }
        filled = read == free;
        return read;
    }

    /** Whether the last read took all the room there was, so that more may be waiting. */
    boolean wasFilled() {
        return filled;
    }

    private boolean filled;

    private ByteBuffer prepare(int frameLength, int initial) {
        ByteBuffer present = buffer;
        if (present == null) {
            present = allocate(initial);
            buffer = present;
            return present;
        }
        int available = available();
        int wanted = present.capacity();
        if (available == present.capacity() && frameLength > wanted) {
            wanted = Math.min(frameLength, 2 * wanted);
        } else if (filled && present.capacity() < BUSY && initial >= NORMAL) {
            wanted = Math.min(BUSY, 2 * wanted);
        }
        if (wanted > NORMAL) {
            neededLarge = true;
        }
        if (wanted > present.capacity()) {
            present = replaceBy(allocate(wanted), present);
        } else if (start > 0 && present.capacity() - start < Math.max(frameLength, NORMAL / 4)) {
            present.limit(end).position(start);
            present.compact().clear();
            start = 0;
            end = available;
        }
        return present;
    }

    private ByteBuffer replaceBy(ByteBuffer larger, ByteBuffer present) {
        int available = available();
        larger.put(0, present, start, available);
        buffer = larger;
        start = 0;
        end = available;
        return larger;
    }

    /** Gives memory back that was not needed since the last call. */
    void trim() {
        if (available() == 0 && !neededLarge) {
            buffer = null;
        }
        neededLarge = false;
    }

    void release() {
        buffer = null;
        start = 0;
        end = 0;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
