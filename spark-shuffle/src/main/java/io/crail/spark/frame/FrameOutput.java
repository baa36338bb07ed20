// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects bytes and puts them into frames. Closing it ends the stream, not the sink; what is
 * written afterwards is the next stream. Not thread-safe.
 *
 * <p>Flushing does nothing: it would make a frame of each record.
 */
public final class FrameOutput extends OutputStream {
    private static final int FIRST = 2 << 10;
    private static final int GROWTH = 4;

    private final FrameCodec codec;
    private final FrameSink sink;
    private byte[] collected;
    private ByteBuffer collectedBuffer;
    private int size;

    /** An empty stream. */
    public FrameOutput(FrameCodec codec, FrameSink sink) {
        this.codec = codec;
        this.sink = sink;
        this.collected = new byte[Math.min(FIRST, codec.frameSize())];
        this.collectedBuffer = ByteBuffer.wrap(collected);
    }

    /** Bytes of heap that such a stream takes at most, without its sink. */
    public static long footprint(FrameCodec codec) {
        return (long) codec.frameSize() + FIRST;
    }

    @Override
    public void write(int b) throws IOException {
        if (size == collected.length) {
            makeRoom();
        }
        collected[size++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (size == 0 && length - done >= codec.frameSize()) {
                codec.frame(ByteBuffer.wrap(bytes), bytes, offset + done, codec.frameSize(), sink);
                done += codec.frameSize();
            } else {
                if (size == collected.length) {
                    makeRoom();
                }
                int some = Math.min(collected.length - size, length - done);
                System.arraycopy(bytes, offset + done, collected, size, some);
                size += some;
                done += some;
            }
        }
    }

    private void makeRoom() throws IOException {
        if (size == codec.frameSize()) {
            endFrame();
        } else {
            int room = (int) Math.min((long) size * GROWTH, codec.frameSize());
            collected = Arrays.copyOf(collected, room);
            collectedBuffer = ByteBuffer.wrap(collected);
        }
    }

    private void endFrame() throws IOException {
        int length = size;
        // Before the sink is called: when that fails, nobody writes on.
        size = 0;
        codec.frame(collectedBuffer, collected, 0, length, sink);
    }

    @Override
    public void close() throws IOException {
        if (size > 0) {
            endFrame();
        }
    }
}
