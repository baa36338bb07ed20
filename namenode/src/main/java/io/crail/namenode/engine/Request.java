// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.InvalidNameException;
import io.crail.error.ProtocolException;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.PathWalk;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Flyweight over the request being handled. One object serves the engine; it is valid during one
 * request only, and who answers later keeps a {@link Pending}.
 *
 * <p>Hot handlers read fields in place with {@link #take}; the others decode messages from {@link
 * #control}.
 */
final class Request {
    private final PathWalk walk = new PathWalk();
    private @Nullable Connection connection;
    private @Nullable ByteBuffer in;
    private @Nullable Session session;
    private int at;
    private int next;
    private int controlEnd;

    void set(Connection from, ByteBuffer frame, int offset) {
        connection = from;
        in = frame;
        at = offset;
        session = null;
        next = offset + FrameHeader.SIZE;
        controlEnd = next + FrameHeader.controlLength(frame, offset);
    }

    /** Drops everything that refers to the state. */
    void forget() {
        connection = null;
        in = null;
        session = null;
        walk.forget();
    }

    Connection connection() {
        return Objects.requireNonNull(connection);
    }

    private ByteBuffer in() {
        return Objects.requireNonNull(in);
    }

    int type() {
        return FrameHeader.type(in(), at);
    }

    long id() {
        return FrameHeader.requestId(in(), at);
    }

    long traceId() {
        return FrameHeader.traceId(in(), at);
    }

    long sessionId() {
        return FrameHeader.sessionId(in(), at);
    }

    long acknowledged() {
        return FrameHeader.acknowledged(in(), at);
    }

    boolean isMutation() {
        return FrameHeader.isMutation(in(), at);
    }

    /** The session that asks; only for handlers of types that need one. */
    Session session() {
        if (session == null) {
            throw new IllegalStateException("request type " + type() + " came without session");
        }
        return session;
    }

    void enter(Session asking) {
        session = asking;
    }

    /** A reader of the whole control part. */
    WireReader control() {
        ByteBuffer frame = in();
        frame.limit(frame.capacity());
        frame.position(at + FrameHeader.SIZE).limit(controlEnd);
        return new WireReader(frame);
    }

    /** The payload; valid during the request. */
    ByteBuffer payload() {
        ByteBuffer frame = in();
        frame.limit(frame.capacity());
        return frame.slice(controlEnd, FrameHeader.payloadLength(frame, at));
    }

    /**
     * Moves the receive buffer's position and limit around the next u16-length field of the control
     * part and returns the buffer: a view without an object.
     */
    ByteBuffer take(int max) throws ProtocolException {
        ByteBuffer frame = in();
        frame.limit(frame.capacity());
        if (next + 2 > controlEnd) {
            throw new ProtocolException("message ends early");
        }
        int length = frame.getShort(next) & 0xFFFF;
        int start = next + 2;
        if (length > max || start + length > controlEnd) {
            throw new ProtocolException(
                    "field of " + length + " bytes, at most " + Math.min(max, controlEnd - start));
        }
        next = start + length;
        return frame.position(start).limit(next);
    }

    /** The u8 field behind what was taken so far. */
    int takeByte() throws ProtocolException {
        ByteBuffer frame = in();
        frame.limit(frame.capacity());
        if (next + 1 > controlEnd) {
            throw new ProtocolException("message ends early");
        }
        return frame.get(next++) & 0xFF;
    }

    /** The u64 field behind what was taken so far, 0 if the message ends before it. */
    long takeLongIfPresent() throws ProtocolException {
        ByteBuffer frame = in();
        frame.limit(frame.capacity());
        if (next == controlEnd) {
            return 0;
        }
        if (next + Long.BYTES > controlEnd) {
            throw new ProtocolException("message ends early");
        }
        long value = frame.getLong(next);
        next += Long.BYTES;
        return value;
    }

    /** Resolves a path; the result stands until the next walk. */
    PathWalk walk(Tree tree, ByteBuffer path) throws InvalidNameException {
        return walk.walk(tree, path);
    }

    WireWriter beginReply() {
        return connection().beginReply(type(), id(), traceId());
    }

    Pending later() {
        return new Pending(connection(), type(), id(), traceId());
    }
}
