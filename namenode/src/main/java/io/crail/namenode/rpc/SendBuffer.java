// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Replies of one connection, in one direct buffer:
 *
 * <pre>
 * | sent | may leave | held for a ticket ... | reply being written |
 *        ^sent       ^sendable                                     ^position of the writer
 * </pre>
 *
 * <p>The marks of held batches are offsets in the stream of all bytes ever replied, so that moving
 * the bytes down does not touch them.
 */
final class SendBuffer {
    private static final byte[] HEADER_SLOT = new byte[FrameHeader.SIZE];

    /** Everything up to stream offset {@code end} waits for {@code ticket}. */
    private record Hold(long end, long ticket) {}

    private final BufferPool pool;
    private final int limit;
    private final ArrayDeque<Hold> holds = new ArrayDeque<>();
    private @Nullable WireWriter writer;
    private int sent;
    private int sendable;

    /** Stream offset of the first byte of the buffer. */
    private long base;

    private boolean neededLarge;

    private int replyStart = -1;
    private int payloadStart = -1;
    private int type;
    private long requestId;
    private long traceId;

    /** Takes at most {@code maxUnsent} bytes and the reply that crosses that line. */
    SendBuffer(BufferPool pool, int maxUnsent) {
        this.pool = pool;
        this.limit = maxUnsent + ProtocolLimits.MAX_FRAME;
    }

    WireWriter begin(int newType, long newRequestId, long newTraceId) {
        abandon();
        WireWriter target = makeRoom();
        replyStart = target.position();
        payloadStart = -1;
        type = newType;
        requestId = newRequestId;
        traceId = newTraceId;
        return target.raw(HEADER_SLOT);
    }

    boolean isReplyOpen() {
        return replyStart >= 0;
    }

    /** The writer of the reply that was begun. */
    WireWriter replyWriter() {
        if (writer == null || replyStart < 0) {
            throw new IllegalStateException("no reply was begun");
        }
        return writer;
    }

    void beginPayload() {
        payloadStart = replyWriter().position();
    }

    void end(int status, long epoch) {
        WireWriter target = replyWriter();
        int end = target.position();
        int controlEnd = payloadStart < 0 ? end : payloadStart;
        if (end - replyStart > ProtocolLimits.MAX_FRAME) {
            int length = end - replyStart;
            abandon();
            throw new IllegalStateException(
                    "reply of " + length + " bytes, at most " + ProtocolLimits.MAX_FRAME);
        }
        FrameHeader.putResponse(
                target.buffer(),
                replyStart,
                type,
                requestId,
                epoch,
                status,
                controlEnd - replyStart - FrameHeader.SIZE,
                end - controlEnd,
                traceId);
        replyStart = -1;
    }

    void abandon() {
        if (writer != null && replyStart >= 0) {
            writer.rewindTo(replyStart);
        }
        replyStart = -1;
    }

    /** Bytes that have not left, held ones included. */
    int unsent() {
        return writer == null ? 0 : writer.position() - sent;
    }

    /** Bytes that may leave. */
    int ready() {
        return sendable - sent;
    }

    boolean hasHeld() {
        return !holds.isEmpty();
    }

    int capacity() {
        return writer == null ? 0 : writer.buffer().capacity();
    }

    /** Whether there are bytes that no batch end has judged yet. */
    boolean hasUnsealed() {
        if (writer == null) {
            return false;
        }
        int sealed = holds.isEmpty() ? sendable : (int) (holds.getLast().end() - base);
        return writer.position() > sealed;
    }

    /** Ends a batch: what it added may leave when the ticket is released, with 0 at once. */
    void seal(long ticket) {
        abandon();
        if (!hasUnsealed()) {
            return;
        }
        int end = unsent() + sent;
        if (ticket == RequestHandler.SEND_NOW && holds.isEmpty()) {
            sendable = end;
            return;
        }
        long holdFor = ticket;
        if (!holds.isEmpty() && holds.getLast().ticket() >= ticket) {
            holdFor = holds.removeLast().ticket(); // bytes cannot overtake each other
        }
        holds.add(new Hold(base + end, holdFor));
    }

    /** Lets everything leave that waits for a ticket up to {@code ticket}. */
    void release(long ticket) {
        while (!holds.isEmpty() && holds.getFirst().ticket() <= ticket) {
            sendable = (int) (holds.removeFirst().end() - base);
        }
    }

    /** Writes once; returns the bytes that left. */
    int write(WritableByteChannel channel) throws IOException {
        WireWriter source = writer;
        if (source == null || sendable == sent) {
            return 0;
        }
        ByteBuffer buffer = source.buffer();
        int end = buffer.position();
        int written;
        buffer.limit(sendable).position(sent);
        try {
            written = channel.write(buffer);
        } finally {
            buffer.limit(buffer.capacity()).position(end);
        }
        sent += written;
        if (sent == end) {
            moveDown(source);
        }
        return written;
    }

    /** Gives memory back that was not needed since the last call. */
    void trim() {
        if (writer != null && unsent() == 0 && replyStart < 0 && !neededLarge) {
            base += sent;
            discard();
        }
        neededLarge = false;
    }

    /** Forgets everything and gives the memory back. */
    void discard() {
        if (writer != null) {
            pool.give(writer.buffer());
        }
        writer = null;
        holds.clear();
        sent = 0;
        sendable = 0;
        replyStart = -1;
    }

    private WireWriter makeRoom() {
        WireWriter present = writer;
        if (present == null) {
            present = new WireWriter(pool.take(), limit);
            writer = present;
        } else if (sent > present.buffer().capacity() / 2) {
            moveDown(present);
        }
        if (present.position() > BufferPool.SIZE) {
            neededLarge = true;
        }
        return present;
    }

    /** Moves the unsent bytes to the start of the buffer. */
    private void moveDown(WireWriter present) {
        present.buffer().flip().position(sent);
        present.buffer().compact();
        base += sent;
        sendable -= sent;
        sent = 0;
    }
}
