// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import io.crail.error.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Flyweight over the 48-byte header of every frame, little-endian, on TCP as on verbs.
 *
 * <pre>
 *  0  u32  frame length: header + control + payload, in bytes
 *  4  u8   protocol version
 *  5  u8   flags
 *  6  u16  message type
 *  8  u64  request id
 * 16  u64  request: session id (0 = none yet)   response: epoch of the namenode (0 from storage)
 * 24  u32  request: remaining deadline in ms    response: error code (0 = success)
 * 28  u32  control length in bytes; what follows the control bytes is payload
 * 32  u64  request: highest acknowledged mutation id (see {@link #ACKNOWLEDGED})
 * 40  u64  trace id, echoed in the response
 * </pre>
 *
 * <p>All methods are static and take absolute positions, so that no object is made per frame. The
 * buffer must be in {@link java.nio.ByteOrder#LITTLE_ENDIAN} order. Thread-safe as far as the
 * buffer is not shared.
 */
public final class FrameHeader {
    public static final int LENGTH = 0;
    public static final int VERSION = 4;
    public static final int FLAGS = 5;
    public static final int TYPE = 6;
    public static final int REQUEST_ID = 8;
    public static final int SESSION_OR_EPOCH = 16;
    public static final int DEADLINE_OR_STATUS = 24;
    public static final int CONTROL_LENGTH = 28;

    /**
     * In a request: every mutation of this session with an id up to this one has been answered, so
     * the namenode may forget its stored result. Mutations above it are the unacknowledged ones, of
     * which a session may have {@link ProtocolLimits#MAX_UNACKNOWLEDGED}.
     */
    public static final int ACKNOWLEDGED = 32;

    public static final int TRACE_ID = 40;
    public static final int SIZE = 48;

    /** Set in responses. */
    public static final int FLAG_RESPONSE = 0x01;

    /**
     * Set in requests that change state and must take effect exactly once: (session, request id)
     * identifies the mutation for ever, and a repeated one is answered from the log.
     */
    public static final int FLAG_MUTATION = 0x02;

    private FrameHeader() {}

    public static int length(ByteBuffer buffer, int at) {
        return buffer.getInt(at + LENGTH);
    }

    public static int version(ByteBuffer buffer, int at) {
        return buffer.get(at + VERSION) & 0xFF;
    }

    public static int flags(ByteBuffer buffer, int at) {
        return buffer.get(at + FLAGS) & 0xFF;
    }

    public static boolean isResponse(ByteBuffer buffer, int at) {
        return (flags(buffer, at) & FLAG_RESPONSE) != 0;
    }

    public static boolean isMutation(ByteBuffer buffer, int at) {
        return (flags(buffer, at) & FLAG_MUTATION) != 0;
    }

    public static int type(ByteBuffer buffer, int at) {
        return buffer.getShort(at + TYPE) & 0xFFFF;
    }

    public static long requestId(ByteBuffer buffer, int at) {
        return buffer.getLong(at + REQUEST_ID);
    }

    public static long sessionId(ByteBuffer buffer, int at) {
        return buffer.getLong(at + SESSION_OR_EPOCH);
    }

    public static long epoch(ByteBuffer buffer, int at) {
        return buffer.getLong(at + SESSION_OR_EPOCH);
    }

    public static int deadlineMillis(ByteBuffer buffer, int at) {
        return buffer.getInt(at + DEADLINE_OR_STATUS);
    }

    public static int status(ByteBuffer buffer, int at) {
        return buffer.getInt(at + DEADLINE_OR_STATUS);
    }

    public static int controlLength(ByteBuffer buffer, int at) {
        return buffer.getInt(at + CONTROL_LENGTH);
    }

    public static int payloadLength(ByteBuffer buffer, int at) {
        return length(buffer, at) - SIZE - controlLength(buffer, at);
    }

    public static long acknowledged(ByteBuffer buffer, int at) {
        return buffer.getLong(at + ACKNOWLEDGED);
    }

    public static long traceId(ByteBuffer buffer, int at) {
        return buffer.getLong(at + TRACE_ID);
    }

    /** Writes the header of a request. Lengths are of the parts behind the header. */
    public static void putRequest(
            ByteBuffer buffer,
            int at,
            int flags,
            int type,
            long requestId,
            long sessionId,
            int deadlineMillis,
            int controlLength,
            int payloadLength,
            long acknowledged,
            long traceId) {
        put(buffer, at, flags, type, requestId, controlLength, payloadLength);
        buffer.putLong(at + SESSION_OR_EPOCH, sessionId);
        buffer.putInt(at + DEADLINE_OR_STATUS, deadlineMillis);
        buffer.putLong(at + ACKNOWLEDGED, acknowledged);
        buffer.putLong(at + TRACE_ID, traceId);
    }

    /** Writes the header of a response; {@code status} 0 is success, else a wire error code. */
    public static void putResponse(
            ByteBuffer buffer,
            int at,
            int type,
            long requestId,
            long epoch,
            int status,
            int controlLength,
            int payloadLength,
            long traceId) {
        put(buffer, at, FLAG_RESPONSE, type, requestId, controlLength, payloadLength);
        buffer.putLong(at + SESSION_OR_EPOCH, epoch);
        buffer.putInt(at + DEADLINE_OR_STATUS, status);
        buffer.putLong(at + ACKNOWLEDGED, 0);
        buffer.putLong(at + TRACE_ID, traceId);
    }

    private static void put(
            ByteBuffer buffer,
            int at,
            int flags,
            int type,
            long requestId,
            int controlLength,
            int payloadLength) {
        assert controlLength >= 0 && payloadLength >= 0;
        buffer.putInt(at + LENGTH, SIZE + controlLength + payloadLength);
        buffer.put(at + VERSION, (byte) ProtocolLimits.VERSION);
        buffer.put(at + FLAGS, (byte) flags);
        buffer.putShort(at + TYPE, (short) type);
        buffer.putLong(at + REQUEST_ID, requestId);
        buffer.putInt(at + CONTROL_LENGTH, controlLength);
    }

    /**
     * Checks a received header before a single byte behind it is believed. Must be called as soon
     * as {@link #SIZE} bytes are there, so that an absurd length costs nothing.
     *
     * @param maxFrameLength the receiver's own limit, header included
     * @throws ProtocolException if the frame cannot be valid; the connection is then closed,
     *     because the position of the next frame is unknown
     */
    public static void check(ByteBuffer buffer, int at, int maxFrameLength)
            throws ProtocolException {
        int length = length(buffer, at);
        if (length < SIZE || length > maxFrameLength) {
            throw new ProtocolException(
                    "frame of "
                            + (length & 0xFFFFFFFFL)
                            + " bytes is outside "
                            + SIZE
                            + ".."
                            + maxFrameLength
                            + "; is the peer a crail client of a known version?");
        }
        int version = version(buffer, at);
        if (version < ProtocolLimits.MIN_VERSION || version > ProtocolLimits.VERSION) {
            throw new ProtocolException(
                    "protocol version "
                            + version
                            + " is outside "
                            + ProtocolLimits.MIN_VERSION
                            + ".."
                            + ProtocolLimits.VERSION);
        }
        int control = controlLength(buffer, at);
        if (control < 0 || control > length - SIZE) {
            throw new ProtocolException(
                    "control part of " + (control & 0xFFFFFFFFL) + " bytes exceeds its frame");
        }
    }
}
