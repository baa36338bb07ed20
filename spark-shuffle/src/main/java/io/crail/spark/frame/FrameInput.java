// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream of frames to its end; when its source goes on to another stream, so does it. Not
 * thread-safe.
 *
 * <p>Raw bytes go from the source to the caller. Compressed ones are decompressed out of the
 * source's buffer where they lie in one, else they are put together before. A frame that does not
 * end with its stream, or does not become what its head says, is an error of the source.
 */
public final class FrameInput extends InputStream {
    private static final int FIRST = 32 << 10;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final FrameSource source;
    private final byte[] one = new byte[1];
    private final byte[] head = new byte[Integer.BYTES];
    private byte[] bytes = new byte[FIRST];
    private ByteBuffer bytesBuffer = ByteBuffer.wrap(bytes);
    private byte @Nullable [] gathered;
    private int position;
    private int limit;

    /** Raw bytes of the frame that are still in the source. */
    private int raw;

    /** Reads what the source has. */
    public FrameInput(FrameSource source) {
        this.source = source;
    }

    /** Begins a stream, whatever is left of the one before. */
    public FrameInput begin() {
        position = 0;
        limit = 0;
        raw = 0;
        return this;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (raw == 0 && position == limit && !nextFrame()) {
            return -1;
        }
        if (raw > 0) {
            int some = source.read(target, offset, Math.min(raw, length));
            raw -= some;
            return some;
        }
        int some = Math.min(limit - position, length);
        System.arraycopy(bytes, position, target, offset, some);
        position += some;
        return some;
    }

    @Override
    public int available() {
        return limit - position;
    }

    private boolean nextFrame() throws IOException {
        if (source.left() == 0) {
            return false;
        }
        int word = word();
        int stored = word & ~FrameCodec.RAW;
        boolean isRaw = (word & FrameCodec.RAW) != 0;
        int length = isRaw ? stored : word();
        if (stored <= 0
                || length <= 0
                || length > FrameCodec.LARGEST
                || stored > length
                || stored > source.left()) {
            throw source.corrupt(
                    "a frame of "
                            + stored
                            + " bytes, "
                            + length
                            + " when decompressed, where "
                            + source.left()
                            + " are left");
        }
        if (isRaw) {
            raw = length;
        } else {
            decompress(stored, length);
        }
        return true;
    }

    private int word() throws IOException {
        if (source.left() < Integer.BYTES) {
            throw source.corrupt("the stream ends within the head of a frame");
        }
        ByteBuffer found = source.peek(Integer.BYTES);
        if (found != null) {
            int word = found.getInt(found.position());
            source.skip(Integer.BYTES);
            return word;
        }
        gather(head, head.length);
        return ByteBuffer.wrap(head).getInt();
    }

    private void decompress(int stored, int length) throws IOException {
        if (length > bytes.length) {
            bytes = new byte[Math.min(Integer.highestOneBit(length - 1) * 2, FrameCodec.LARGEST)];
            bytesBuffer = ByteBuffer.wrap(bytes);
        }
        int found;
        try {
            ByteBuffer inPlace = source.peek(stored);
            if (inPlace != null) {
                found =
                        decompressor.decompress(
                                inPlace, inPlace.position(), stored, bytesBuffer, 0, length);
                source.skip(stored);
            } else {
                byte[] whole = gathered;
                if (whole == null || whole.length < stored) {
                    whole = new byte[bytes.length];
                    gathered = whole;
                }
                gather(whole, stored);
                found = decompressor.decompress(whole, 0, stored, bytes, 0, length);
            }
        } catch (LZ4Exception e) {
            throw source.corrupt("a frame cannot be decompressed: " + e.getMessage());
        }
        if (found != length) {
            throw source.corrupt(
                    "a frame has " + found + " bytes when decompressed, its head says " + length);
        }
        position = 0;
        limit = length;
    }

    private void gather(byte[] target, int length) throws IOException {
        int done = 0;
        while (done < length) {
            done += source.read(target, done, length - done);
        }
    }
}
