// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * Makes frames that are compressed, and says which are not; those are made by {@link RawFrames}.
 * All streams that a task writes share it, so that only what they collect belongs to each. Not
 * thread-safe.
 *
 * <pre>
 * stream    frames, one behind the other
 * frame     u32  bytes that follow the head | raw &lt;&lt; 31, big-endian
 *           u32  bytes when they are decompressed, 1 .. 1 MiB; is missing if raw
 *           the bytes, as a block of LZ4 or, if raw, as they are, 1 .. 1 MiB
 * </pre>
 */
public final class FrameCodec {
    /** Of bytes that are not compressed. */
    public static final int LARGEST = 1 << 20;

    static final int RAW = 1 << 31;
    private static final int HEAD = 2 * Integer.BYTES;

    private static final int SMALLEST = 1 << 10;

    /** Most frames' bytes that are not tried to be compressed before a frame is again. */
    private static final int MOST_UNTRIED = 15;

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final int frameSize;
    private final BooleanSupplier pays;
    private byte @Nullable [] scratch;

    /** Bytes that will not be tried, since some did not become smaller. */
    private long untried;

    /** Frames that will not be tried if another one does not become smaller. */
    private int untriedNext;

    /**
     * A codec.
     *
     * @param frameSize about how many bytes are compressed together
     * @param pays whether a frame that is made now should be compressed
     */
    public FrameCodec(long frameSize, BooleanSupplier pays) {
        this.pays = pays;
        this.frameSize = (int) Math.max(SMALLEST, Math.min(frameSize, LARGEST));
    }

    /** Most bytes that are compressed together. */
    int frameSize() {
        return frameSize;
    }

    /** Of the bytes that come next, so many are not compressed. */
    int raw(int length) {
        return pays.getAsBoolean() ? (int) Math.min(length, untried) : length;
    }

    /** As {@link #raw}; they go on now. */
    int takeRaw(int length) {
        int some = raw(length);
        untried = Math.max(0, untried - some);
        return some;
    }

    /**
     * Puts a frame of bytes into a sink, if that pays and makes it smaller.
     *
     * <p>What is random goes on to be so, most often, and in all partitions of a task alike: many
     * of their streams have a frame or two only, so what one has tried counts for the next. What is
     * left at the end of a stream may be too short to tell.
     *
     * @param source the bytes
     * @return whether it did; if not, the sink has nothing of it
     */
    boolean compress(ByteBuffer source, int offset, int length, FrameSink sink) throws IOException {
        if (!pays.getAsBoolean()) {
            untried = 0;
        } else if (untried > 0) {
            untried = Math.max(0, untried - length);
        } else if (tryToCompress(source, offset, length, sink)) {
            untriedNext = 0;
            return true;
        } else if (length >= SMALLEST) {
            untried = (long) untriedNext * frameSize;
            untriedNext = Math.min(2 * untriedNext + 1, MOST_UNTRIED);
        }
        return false;
    }

    /** Bytes that a frame of so many may take while it is made. */
    private int bound(int bytes) {
        return HEAD + compressor.maxCompressedLength(bytes);
    }

    /**
     * Puts a frame into a sink, if it becomes smaller by that.
     *
     * @return whether it did; if not, the sink has nothing of it
     */
    private boolean tryToCompress(ByteBuffer source, int offset, int length, FrameSink sink)
            throws IOException {
        ByteBuffer room = sink.room();
        if (room.remaining() >= bound(length)) {
            int bytes = compress(source, offset, length, room);
            room.position(room.position() + bytes);
            return bytes > 0;
        }
        byte[] frame = scratch;
        if (frame == null) {
            frame = new byte[bound(frameSize)];
            scratch = frame;
        }
        int bytes = compress(source, offset, length, ByteBuffer.wrap(frame));
        sink.write(frame, 0, bytes);
        return bytes > 0;
    }

    /** Puts a frame at the position, which stays; 0 if it has not become smaller. */
    private int compress(ByteBuffer source, int offset, int length, ByteBuffer target) {
        int head = target.position();
        int bytes =
                compressor.compress(
                        source, offset, length, target, head + HEAD, target.remaining() - HEAD);
        if (bytes >= length) {
            return 0;
        }
        target.putInt(head, bytes);
        target.putInt(head + Integer.BYTES, length);
        return HEAD + bytes;
    }
}
