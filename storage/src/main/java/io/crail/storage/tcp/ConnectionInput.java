// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a connection into frames, and decides where the next ones are received.
 *
 * <p>While a payload is due and nothing else is buffered, bytes are received straight into its
 * destination, exactly as many as are missing. Otherwise they go to a small buffer, which holds
 * headers and control parts; the start of a payload that arrived with its header is copied from
 * there, which for small payloads costs less than a second system call. A connection without a
 * begun frame holds no buffer.
 *
 * <p>Used by the connection's event loop only.
 */
final class ConnectionInput {
    /** Receives complete headers. */
    interface FrameHandler {
        /** Whether another frame may be taken now; false while answers pile up. */
        boolean ready();

        /**
         * Handles a frame whose control part is complete.
         *
         * @param at position of the header in {@code view}, which must not be kept
         * @return where its payload goes, or null if it has none
         */
        @Nullable Payload frame(ByteBuffer view, int at) throws ProtocolException;
    }

    /** Largest control part of a request for data; a WRITE of 1 MiB needs 1.1 KiB. */
    static final int MAX_CONTROL = 8 << 10;

    static final int MAX_FRAME = FrameHeader.SIZE + MAX_CONTROL + ProtocolLimits.MAX_PAYLOAD;

    private static final int BUFFER = 16 << 10;
    private static final int MIN_ROOM = 4 << 10;

    private final FrameHandler handler;
    private @Nullable ByteBuf buffer;
    private ByteBuffer view = ByteBuffer.allocate(0);
    private @Nullable ByteBuf direct;
    private @Nullable Payload payload;
    private int maxFrame = ProtocolLimits.MAX_HELLO_FRAME;
    private boolean parsing;
    private boolean dropping;

    ConnectionInput(FrameHandler handler) {
        this.handler = handler;
    }

    /** After the hello, frames may be large. */
    void acceptLargeFrames() {
        maxFrame = MAX_FRAME;
    }

    /** Whether a frame has begun and is not complete. */
    boolean isWithinFrame() {
        return payload != null || (buffered() > 0 && !dropping);
    }

    /** The buffer for the next receive; the caller owns one reference to it. */
    ByteBuf nextTarget(ByteBufAllocator allocator) {
        dropDirect();
        if (payload != null && buffered() == 0) {
            ByteBuf target = payload.target();
            if (target != null) {
                direct = target;
                return target.retain();
            }
        }
        return room(allocator).retain();
    }

    /** Takes what was received into a buffer of {@link #nextTarget}, and drops the reference. */
    @SuppressWarnings("ReferenceEquality") // Which buffer it is, not what is in it.
    void received(ByteBuf data) throws ProtocolException {
        try {
            if (data == direct) {
                Objects.requireNonNull(payload).advance(data.readableBytes());
                dropDirect();
            } else if (data != buffer) {
                // A transport that receives ahead had a buffer that was given back since.
                room(data.alloc()).writeBytes(data);
            }
        } finally {
            data.release();
        }
        if (dropping) {
            dropBuffer();
        } else {
            parse();
        }
    }

    /** Handles what is buffered, as far as the handler is ready. */
    void parse() throws ProtocolException {
        if (parsing || dropping) {
            return; // Called by the handler, whose caller goes on in the loop below.
        }
        parsing = true;
        try {
            while (!dropping
                    && (payload != null ? takePayload() : handler.ready() && takeFrame())) {
                // One frame, or one payload, at a time.
            }
        } finally {
            parsing = false;
        }
    }

    /** Gives an empty buffer back. */
    void receiveComplete() {
        if (buffered() == 0) {
            dropBuffer();
        }
    }

    /** From now on drops what comes in. Only between frames, that is, in a frame's handler. */
    void dropRest() {
        assert payload == null;
        dropping = true;
    }

    /** The connection has ended. */
    void close() {
        dropDirect();
        dropBuffer();
        if (payload != null) {
            Payload unfinished = payload;
            payload = null;
            unfinished.abandon();
        }
    }

    private boolean takePayload() {
        Payload due = Objects.requireNonNull(payload);
        int bytes = Math.min(buffered(), due.remaining());
        if (bytes > 0) {
            ByteBuf source = Objects.requireNonNull(buffer);
            due.copy(view, source.readerIndex(), bytes);
            source.skipBytes(bytes);
        }
        if (due.remaining() > 0) {
            return false;
        }
        payload = null;
        due.complete();
        return true;
    }

    private boolean takeFrame() throws ProtocolException {
        int readable = buffered();
        if (readable < Integer.BYTES) {
            return false;
        }
        ByteBuf source = Objects.requireNonNull(buffer);
        int at = source.readerIndex();
        if (readable < FrameHeader.SIZE) {
            // Something that is not crail is told by its first four bytes.
            int length = FrameHeader.length(view, at);
            if (length < FrameHeader.SIZE || length > maxFrame) {
                FrameHeader.check(padded(at, readable), 0, maxFrame);
            }
            return false;
        }
        FrameHeader.check(view, at, maxFrame);
        int control = FrameHeader.controlLength(view, at);
        if (control > MAX_CONTROL) {
            throw new ProtocolException(
                    "control part of " + control + " bytes, at most " + MAX_CONTROL);
        }
        if (readable < FrameHeader.SIZE + control) {
            return false;
        }
        source.skipBytes(FrameHeader.SIZE + control);
        payload = handler.frame(view, at);
        return true;
    }

    /** The start of a header, filled up so that the check can name what is wrong with it. */
    private ByteBuffer padded(int at, int bytes) {
        return ByteBuffer.allocate(FrameHeader.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, view, at, bytes);
    }

    private int buffered() {
        return buffer == null ? 0 : buffer.readableBytes();
    }

    private ByteBuf room(ByteBufAllocator allocator) {
        ByteBuf current = buffer;
        if (current == null) {
            return replaceBuffer(allocator.directBuffer(BUFFER, BUFFER));
        }
        if (!current.isReadable()) {
            return current.clear();
        }
        if (current.writableBytes() < MIN_ROOM) {
            current.discardReadBytes();
        }
        if (current.writableBytes() == 0) {
            // Full of frames that wait for answers to be taken. Some transports deliver once more
            // after they were told to stop: when the peer has closed its side.
            int larger = 2 * current.capacity();
            return replaceBuffer(allocator.directBuffer(larger, larger).writeBytes(current));
        }
        return current;
    }

    private ByteBuf replaceBuffer(ByteBuf next) {
        dropBuffer();
        buffer = next;
        view = next.nioBuffer(0, next.capacity()).order(ByteOrder.LITTLE_ENDIAN);
        return next;
    }

    private void dropBuffer() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    private void dropDirect() {
        if (direct != null) {
            direct.release();
            direct = null;
        }
    }
}
