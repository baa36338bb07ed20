// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import io.crail.error.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Reads message fields from untrusted bytes. Every access is checked against what is left, and a
 * count is checked against the bytes its elements would need before anything is allocated: a
 * malformed message costs no more memory than its own length.
 *
 * <p>Not thread-safe. Reads from a duplicate: the position of the given buffer does not move.
 */
public final class WireReader {
    private final ByteBuffer buffer;

    /** A reader of {@code source} from its position to its limit. */
    public WireReader(ByteBuffer source) {
        this.buffer = source.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    public WireReader(byte[] source) {
        this(ByteBuffer.wrap(source));
    }

    public int remaining() {
        return buffer.remaining();
    }

    public int u8() throws ProtocolException {
        return need(1).get() & 0xFF;
    }

    public boolean bool() throws ProtocolException {
        int value = u8();
        if (value > 1) {
            throw new ProtocolException("boolean field holds " + value);
        }
        return value == 1;
    }

    public int u16() throws ProtocolException {
        return need(2).getShort() & 0xFFFF;
    }

    public int i32() throws ProtocolException {
        return need(4).getInt();
    }

    /** A 32-bit field that must not be negative. */
    public int length32() throws ProtocolException {
        int value = i32();
        if (value < 0) {
            throw new ProtocolException("negative length " + value);
        }
        return value;
    }

    public long i64() throws ProtocolException {
        return need(8).getLong();
    }

    /** A 64-bit field that must not be negative. */
    public long length64() throws ProtocolException {
        long value = i64();
        if (value < 0) {
            throw new ProtocolException("negative length " + value);
        }
        return value;
    }

    /** A count of elements that need at least {@code elementBytes} each. */
    public int count(int elementBytes) throws ProtocolException {
        int count = u16();
        if ((long) count * elementBytes > buffer.remaining()) {
            throw new ProtocolException("count of " + count + " elements exceeds the message");
        }
        return count;
    }

    /** A u16 length, at most {@code max}, and that many bytes. */
    public byte[] bytes(int max) throws ProtocolException {
        int length = u16();
        if (length > max) {
            throw new ProtocolException("field of " + length + " bytes, at most " + max);
        }
        // Only now: a length that the message does not keep must not cost memory.
        need(length);
        byte[] value = new byte[length];
        buffer.get(value);
        return value;
    }

    /** Exactly {@code length} bytes without a length in front. */
    public byte[] raw(int length) throws ProtocolException {
        need(length);
        byte[] value = new byte[length];
        buffer.get(value);
        return value;
    }

    /** A u16 length, at most {@code maxBytes}, and well-formed UTF-8. */
    public String string(int maxBytes) throws ProtocolException {
        int length = u16();
        if (length > maxBytes) {
            throw new ProtocolException("string of " + length + " bytes, at most " + maxBytes);
        }
        need(length);
        if (length == 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        if (isAscii(bytes)) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException("string field is not UTF-8", e);
        }
    }

    /** Nearly all strings are; a decoder of UTF-8 costs more than the rest of an answer. */
    private static boolean isAscii(byte[] bytes) {
        byte all = 0;
        for (byte each : bytes) {
            all |= each;
        }
        return all >= 0;
    }

    /** A view of a u16-length field, without copying; valid as long as the source buffer. */
    public ByteBuffer bytesView(int max) throws ProtocolException {
        int length = u16();
        if (length > max) {
            throw new ProtocolException("field of " + length + " bytes, at most " + max);
        }
        return view(length);
    }

    /** A view of the next {@code length} bytes. */
    public ByteBuffer view(int length) throws ProtocolException {
        need(length);
        ByteBuffer slice = buffer.slice(buffer.position(), length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.position(buffer.position() + length);
        return slice;
    }

    /**
     * Ends this reader behind the next {@code length} bytes, as if there were no more, until {@link
     * #widen}. For what may be longer or shorter than its fields, in place of a reader of its own:
     * those were a quarter of what a namenode allocates for a put.
     *
     * @return what to pass to {@link #widen}
     */
    public int narrow(int length) throws ProtocolException {
        need(length);
        int limit = buffer.limit();
        buffer.limit(buffer.position() + length);
        return limit;
    }

    /** Goes on behind the bytes of {@link #narrow}, however many of them were read. */
    public void widen(int limit) {
        buffer.position(buffer.limit()).limit(limit);
    }

    /**
     * Enters a record written by {@link WireWriter#beginRecord}; returns the position of its end
     * for {@link #endRecord}.
     */
    public int beginRecord() throws ProtocolException {
        int length = u16();
        need(length);
        return buffer.position() + length;
    }

    /** Leaves a record, skipping fields that a newer version appended. */
    public void endRecord(int end) throws ProtocolException {
        if (buffer.position() > end) {
            throw new ProtocolException("record is shorter than its fields");
        }
        buffer.position(end);
    }

    /** Whether the record that ends at {@code end} has another, appended field. */
    public boolean hasMore(int end) {
        return buffer.position() < end;
    }

    private ByteBuffer need(int bytes) throws ProtocolException {
        if (bytes < 0 || buffer.remaining() < bytes) {
            throw new ProtocolException(
                    "message ends early: "
                            + bytes
                            + " bytes needed, "
                            + buffer.remaining()
                            + " left");
        }
        return buffer;
    }
}
