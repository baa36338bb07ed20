// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import io.crail.error.InvalidArgumentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes message fields, little-endian, into a buffer that grows up to a limit.
 *
 * <p>Not thread-safe. The writer owns its buffer; {@link #buffer()} lends it, until the next put.
 * Writing past the limit, or a number that its field cannot hold, is a defect of the caller
 * (messages are bounded by construction) and throws {@link IllegalStateException}.
 */
public final class WireWriter {
    private final int limit;
    private ByteBuffer buffer;

    /** A writer that starts with {@code initial} bytes and grows to at most {@code limit}. */
    public WireWriter(int initial, int limit) {
        this(ByteBuffer.allocate(initial), limit);
    }

    /**
     * A writer that appends to {@code target} from its position; a heap or direct buffer. When it
     * is full, a larger one of the same kind takes its place.
     */
    public WireWriter(ByteBuffer target, int limit) {
        this.buffer = target.order(ByteOrder.LITTLE_ENDIAN);
        this.limit = limit;
    }

    /** The buffer; bytes written so far end at its position. */
    public ByteBuffer buffer() {
        return buffer;
    }

    public int position() {
        return buffer.position();
    }

    /** Forgets what was written behind {@code position}. */
    public void rewindTo(int position) {
        buffer.position(position);
    }

    public WireWriter u8(int value) {
        check(value, 0xFF);
        reserve(1).put((byte) value);
        return this;
    }

    public WireWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    public WireWriter u16(int value) {
        check(value, 0xFFFF);
        reserve(2).putShort((short) value);
        return this;
    }

    public WireWriter i32(int value) {
        reserve(4).putInt(value);
        return this;
    }

    public WireWriter i64(long value) {
        reserve(8).putLong(value);
        return this;
    }

    /** A u16 length and that many bytes. */
    public WireWriter bytes(byte[] value) {
        return bytes(value, 0, value.length);
    }

    public WireWriter bytes(byte[] value, int offset, int length) {
        if (length > 0xFFFF) {
            throw new IllegalStateException("field of " + length + " bytes, at most 65535");
        }
        reserve(2 + length).putShort((short) length).put(value, offset, length);
        return this;
    }

    /** A u16 length and the UTF-8 bytes. */
    public WireWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes without a length in front of them; the position of {@code value} is left alone. */
    public WireWriter raw(ByteBuffer value) {
        int length = value.remaining();
        reserve(length).put(value.duplicate());
        return this;
    }

    public WireWriter raw(byte[] value) {
        reserve(value.length).put(value);
        return this;
    }

    /**
     * Starts a record that later versions may lengthen: a u16 length is filled in by {@link
     * #endRecord}. Returns the mark to pass to it.
     */
    public int beginRecord() {
        int mark = buffer.position();
        u16(0);
        return mark;
    }

    public void endRecord(int mark) {
        int length = buffer.position() - mark - 2;
        if (length > 0xFFFF) {
            throw new IllegalStateException("record of " + length + " bytes, at most 65535");
        }
        buffer.putShort(mark, (short) length);
    }

    /** Overwrites four bytes written earlier. */
    public void setI32(int position, int value) {
        assert position + 4 <= buffer.position();
        buffer.putInt(position, value);
    }

    /** Overwrites two bytes written earlier. */
    public void setU16(int position, int value) {
        assert position + 2 <= buffer.position();
        buffer.putShort(position, (short) value);
    }

    /** Not an assertion: a count or mode that is cut to its low bits would be another message. */
    private static void check(int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalStateException("field holds " + value + ", must be 0.." + max);
        }
    }

    private ByteBuffer reserve(int bytes) {
        if (buffer.remaining() < bytes) {
            grow(bytes);
        }
        return buffer;
    }

    private void grow(int bytes) {
        long needed = (long) buffer.position() + bytes;
        if (needed > limit) {
            throw new IllegalStateException(
                    "message of " + needed + " bytes, at most " + limit + " allowed");
        }
        int size = (int) Math.min(limit, Math.max(needed, 2L * buffer.capacity()));
        ByteBuffer larger =
                buffer.isDirect() ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        buffer.flip();
        buffer = larger.order(ByteOrder.LITTLE_ENDIAN).put(buffer);
    }

    /** Checks a string field against the length its message allows, for the sender's benefit. */
    public static byte[] utf8(String what, String value, int maxBytes)
            throws InvalidArgumentException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > maxBytes) {
            throw new InvalidArgumentException(
                    what + " has " + bytes.length + " bytes of UTF-8, at most " + maxBytes);
        }
        return bytes;
    }
}
