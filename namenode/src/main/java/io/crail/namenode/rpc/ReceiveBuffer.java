// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that arrived on one connection and are not handled yet: from start to end of a direct
 * buffer. It grows only as bytes do arrive, so that a header which promises a large frame costs
 * nothing, and shrinks back when it was not needed for a while.
 */
final class ReceiveBuffer {
    /** A buffer that is filled by one read grows up to this, to save system calls. */
    private static final int BUSY = 64 << 10;

    /** Less room than this behind the unhandled bytes is not worth a system call. */
    private static final int LEAST_ROOM = 4 << 10;

    private final BufferPool pool;
    private @Nullable ByteBuffer buffer;
    private int start;
    private int end;
    private boolean filled;
    private boolean neededLarge;

    ReceiveBuffer(BufferPool pool) {
        this.pool = pool;
    }

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

    /** Whether the last read took all the room there was, so that more may be waiting. */
    boolean wasFilled() {
        return filled;
    }

    /**
     * Length of the frame at the start, 0 while too little of it is there to know.
     *
     * @throws ProtocolException if no valid frame starts here
     */
    int frameLength(int maxFrame) throws ProtocolException {
        int available = available();
        if (available < FrameHeader.SIZE) {
            if (available >= Integer.BYTES) {
                checkLength(FrameHeader.length(bytes(), start), maxFrame);
            }
            return 0;
        }
        ByteBuffer present = bytes();
        FrameHeader.check(present, start, maxFrame);
        if (FrameHeader.isResponse(present, start)) {
            throw new ProtocolException("a response came where a request should");
        }
        return FrameHeader.length(present, start);
    }

    /** A peer of another protocol may never send enough for a header: judge the length alone. */
    private static void checkLength(int length, int maxFrame) throws ProtocolException {
        if (length < FrameHeader.SIZE || length > maxFrame) {
            throw new ProtocolException(
                    "frame of "
                            + (length & 0xFFFFFFFFL)
                            + " bytes is outside "
                            + FrameHeader.SIZE
                            + ".."
                            + maxFrame
                            + "; is the peer a crail client?");
        }
    }

    /** The frame at the start was handled. */
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
     */
    int read(ReadableByteChannel channel, int frameLength) throws IOException {
        ByteBuffer target = prepare(frameLength);
        target.limit(target.capacity()).position(end);
        int room = target.remaining();
        int read = channel.read(target);
        target.clear();
        if (read > 0) {
            end += read;
        }
        filled = read == room;
        return read;
    }

    private ByteBuffer prepare(int frameLength) {
        ByteBuffer present = buffer;
        if (present == null) {
            present = pool.take();
            buffer = present;
            return present;
        }
        int capacity = present.capacity();
        int wanted = capacity;
        if (available() == capacity && frameLength > capacity) {
            wanted = Math.min(frameLength, 2 * capacity);
        } else if (filled && capacity < BUSY) {
            wanted = Math.min(BUSY, 2 * capacity);
        }
        if (wanted > BufferPool.SIZE) {
            neededLarge = true;
        }
        if (wanted > capacity) {
            return moveTo(BufferPool.allocate(wanted), present);
        }
        if (start > 0 && capacity - start < Math.max(frameLength, LEAST_ROOM)) {
            int available = available();
            present.limit(end).position(start);
            present.compact().clear();
            start = 0;
            end = available;
        }
        return present;
    }

    private ByteBuffer moveTo(ByteBuffer larger, ByteBuffer present) {
        int available = available();
        larger.put(0, present, start, available);
        pool.give(present);
        buffer = larger;
        start = 0;
        end = available;
        return larger;
    }

    /** Gives memory back that was not needed since the last call. */
    void trim() {
        if (available() == 0 && !neededLarge) {
            release();
        }
        neededLarge = false;
    }

    /** Forgets everything and gives the memory back. */
    void release() {
        if (buffer != null) {
            pool.give(buffer);
        }
        buffer = null;
        start = 0;
        end = 0;
    }
}
