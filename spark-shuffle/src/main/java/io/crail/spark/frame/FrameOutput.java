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
 *
 * <p>Bytes that will be compressed are collected until they are a frame. Others go on as soon as
 * there are {@link #FEW} of them, and large pieces at once: what a task collects for some hundreds
 * of partitions has to stay in the cache of its core. Where it did not, each record waited for the
 * stores of the one before, which was a tenth of the time of a join
 * (docs/adr/0015-spark-shuffle.md).
 */
public final class FrameOutput extends OutputStream {
    /** Bytes that are collected before it is asked whether they will be compressed. */
    private static final int FEW = 2 << 10;

    private static final int GROWTH = 4;

    private final FrameCodec codec;
    private final FrameSink sink;
    private final RawFrames raw;
    private byte[] collected;
    private ByteBuffer collectedBuffer;
    private int size;

    /** Bytes that are collected before something is done with them. */
    private int limit;

    /** An empty stream. */
    public FrameOutput(FrameCodec codec, FrameSink sink) {
        this.codec = codec;
        this.sink = sink;
        this.raw = new RawFrames(sink);
        this.limit = Math.min(FEW, codec.frameSize());
        this.collected = new byte[limit];
        this.collectedBuffer = ByteBuffer.wrap(collected);
    }

    /** Bytes of heap that such a stream takes at most, without its sink. */
    public static long footprint(FrameCodec codec) {
        return (long) codec.frameSize() + FEW;
    }

    @Override
    public void write(int b) throws IOException {
        if (size == limit) {
            makeRoom();
        }
        collected[size++] = (byte) b;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int left = length - done;
            if (left >= FEW && codec.raw(left) > 0) {
                endFrame();
                int some = codec.takeRaw(left);
                raw.put(bytes, offset + done, some);
                done += some;
            } else if (size == 0 && left >= codec.frameSize()) {
                frame(ByteBuffer.wrap(bytes), bytes, offset + done, codec.frameSize());
                done += codec.frameSize();
            } else {
                if (size == limit) {
                    makeRoom();
                }
                int some = Math.min(limit - size, left);
                System.arraycopy(bytes, offset + done, collected, size, some);
                size += some;
                done += some;
            }
        }
    }

    private void makeRoom() throws IOException {
        if (size == codec.frameSize() || codec.raw(1) > 0) {
            endFrame();
            return;
        }
        limit = (int) Math.min((long) size * GROWTH, codec.frameSize());
        if (collected.length < limit) {
            collected = Arrays.copyOf(collected, limit);
            collectedBuffer = ByteBuffer.wrap(collected);
        }
    }

    /** Makes a frame of what is collected, if anything is. */
    private void endFrame() throws IOException {
        int length = size;
        // Before the sink is called: when that fails, nobody writes on.
        size = 0;
        limit = Math.min(FEW, codec.frameSize());
        if (length > 0) {
            frame(collectedBuffer, collected, 0, length);
        }
    }

    private void frame(ByteBuffer source, byte[] bytes, int offset, int length) throws IOException {
        if (codec.compress(source, offset, length, sink)) {
            raw.end();
        } else {
            raw.put(bytes, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        endFrame();
        raw.end();
    }
}
