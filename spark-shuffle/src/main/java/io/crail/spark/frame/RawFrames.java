// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts bytes of a stream into a sink as they are. A frame goes on as long as its bytes come one
 * behind the other and the buffer of the sink has room, however small the pieces are that it is
 * made of; its head says at any time how long it has become, since the sink may take the buffer
 * away between two pieces. Not thread-safe.
 */
final class RawFrames {
    private final FrameSink sink;

    /** The buffer in which the last frame is; null if no byte can be added to it. */
    private @Nullable ByteBuffer buffer;

    /** Where its head is. */
    private int head;

    /** Where it ends. */
    private int end;

    RawFrames(FrameSink sink) {
        this.sink = sink;
    }

    /** What follows does not belong to the last frame. */
    void end() {
        buffer = null;
    }

    /** Puts bytes behind those before, or into a frame of their own. */
    void put(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            done += putSome(bytes, offset + done, length - done);
        }
    }

    @SuppressWarnings("ReferenceEquality") // It is the same one, not one that has the same bytes.
    private int putSome(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer room = sink.room();
        // The same buffer may have been away meanwhile: then it is empty, or begins otherwise.
        if (room != buffer || room.position() != end || bytesIn(room) == FrameCodec.LARGEST) {
            if (room.remaining() <= Integer.BYTES) {
                return putAcross(bytes, offset, Math.min(length, FrameCodec.LARGEST));
            }
            buffer = room;
            head = room.position();
            room.position(head + Integer.BYTES);
        }
        int some = Math.min(Math.min(length, room.remaining()), FrameCodec.LARGEST - bytesIn(room));
        room.put(bytes, offset, some);
        end = room.position();
        room.putInt(head, bytesIn(room) | FrameCodec.RAW);
        return some;
    }

    /** A frame whose head does not fit into the buffer. */
    private int putAcross(byte[] bytes, int offset, int length) throws IOException {
        buffer = null;
        byte[] word = new byte[Integer.BYTES];
        ByteBuffer.wrap(word).putInt(length | FrameCodec.RAW);
        sink.write(word, 0, word.length);
        sink.write(bytes, offset, length);
        return length;
    }

    private int bytesIn(ByteBuffer room) {
        return room.position() - head - Integer.BYTES;
    }
}
