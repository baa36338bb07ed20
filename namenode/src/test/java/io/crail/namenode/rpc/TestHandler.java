// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An engine whose message types say what it does: most of what a server can be asked to do to its
 * connections, without any state of a namenode.
 */
final class TestHandler implements RequestHandler {
    static final long EPOCH = 77;

    /** Answers with the control part and the payload of the request. */
    static final int ECHO = 1;

    /** Answers with as many payload bytes as the first four bytes of the control part say. */
    static final int BULK = 2;

    /** Throws. */
    static final int FAIL = 3;

    /** Throws after a part of the answer was written. */
    static final int FAIL_HALF_WAY = 4;

    /** Is answered by a later {@link #ANSWER_LATER}. */
    static final int WAIT = 5;

    /** Answers all requests that wait, on whatever connection, then itself. */
    static final int ANSWER_LATER = 6;

    /** Closes the connection. */
    static final int CLOSE = 7;

    /** Answers, then closes. */
    static final int FINISH = 8;

    /** Completes the hello. */
    static final int HELLO = 9;

    /** Throws an Error. */
    static final int DIE = 10;

    /** Starts an answer, closes, and goes on answering. */
    static final int CLOSE_HALF_WAY = 11;

    /**
     * Starts an answer, closes, answers all requests that wait, goes on with the first answer and
     * looks at the request again.
     */
    static final int CLOSE_AND_ANSWER_OTHERS = 12;

    private record Waiting(Connection connection, int type, long id, long trace) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger batches = new AtomicInteger();
    final AtomicLong ticks = new AtomicLong();
    final BlockingQueue<Connection> closed = new LinkedBlockingQueue<>();

    /** Whether batches with requests wait for tickets, which count up from 1. */
    volatile boolean hold;

    volatile boolean discard;
    volatile boolean failBatch;
    volatile boolean failTick;
    final BlockingQueue<Long> tickets = new LinkedBlockingQueue<>();
    private long lastTicket;
    private int requestsBefore;

    @Override
    public void request(Connection connection, ByteBuffer in, int at) {
        requests.incrementAndGet();
        int type = FrameHeader.type(in, at);
        long id = FrameHeader.requestId(in, at);
        long trace = FrameHeader.traceId(in, at);
        switch (type) {
            case HELLO -> {
                connection.established(ProtocolLimits.MAX_FRAME);
                connection.attach("client " + id);
                reply(connection, type, id, trace);
            }
            case ECHO -> {
                int control = FrameHeader.controlLength(in, at);
                ByteBuffer payload = in.duplicate();
                payload.position(in.position() + control);
                in.limit(in.position() + control);
                connection.beginReply(type, id, trace).raw(in);
                connection.endReply(0, EPOCH, payload);
            }
            case BULK -> {
                int size = in.getInt(at + FrameHeader.SIZE);
                connection.beginReply(type, id, trace).u8(1);
                connection.endReply(0, EPOCH, ByteBuffer.allocate(size));
            }
            case WAIT -> waiting.add(new Waiting(connection, type, id, trace));
            case CLOSE_AND_ANSWER_OTHERS -> {
                var writer = connection.beginReply(type, id, trace);
                connection.close("asked to");
                answerWaiting();
                writer.i64(-1).i64(-1);
                if (FrameHeader.requestId(in, at) == id) {
                    connection.endReply(0, EPOCH);
                }
            }
            case ANSWER_LATER -> {
                answerWaiting();
                reply(connection, type, id, trace);
            }
            case CLOSE -> connection.close("asked to");
            case FINISH -> {
                reply(connection, type, id, trace);
                connection.closeAfterReplies("asked to");
            }
            case CLOSE_HALF_WAY -> {
                var writer = connection.beginReply(type, id, trace);
                connection.close("asked to");
                writer.i64(1);
                connection.beginPayload();
                connection.endReply(0, EPOCH, ByteBuffer.allocate(10));
                reply(connection, type, id, trace);
            }
            case FAIL_HALF_WAY -> {
                connection.beginReply(type, id, trace).i64(4711);
                throw new IllegalStateException("injected");
            }
            case DIE -> throw new OutOfMemoryError("injected");
            default -> throw new IllegalStateException("injected");
        }
    }

    private void answerWaiting() {
        for (Waiting each : waiting) {
            reply(each.connection(), each.type(), each.id(), each.trace());
        }
        waiting.clear();
    }

    private static void reply(Connection connection, int type, long id, long trace) {
        connection.beginReply(type, id, trace).i64(id);
        connection.endReply(0, EPOCH);
    }

    @Override
    public long batchEnd() {
        batches.incrementAndGet();
        int now = requests.get();
        boolean news = now != requestsBefore;
        requestsBefore = now;
        if (news && failBatch) {
            throw new IllegalStateException("injected");
        }
        if (news && discard) {
            return DISCARD;
        }
        if (!news || !hold) {
            return SEND_NOW;
        }
        lastTicket++;
        tickets.add(lastTicket);
        return lastTicket;
    }

    long nextTicket() throws InterruptedException {
        Long ticket = tickets.poll(60, TimeUnit.SECONDS);
        if (ticket == null) {
            throw new AssertionError("no batch was held");
        }
        return ticket;
    }

    @Override
    public void closed(Connection connection) {
        closed.add(connection);
    }

    @Override
    public long tick(long nowNanos) {
        ticks.incrementAndGet();
        if (failTick) {
            throw new IllegalStateException("injected");
        }
        return TimeUnit.MILLISECONDS.toNanos(10);
    }

    @Override
    public long epoch() {
        return EPOCH;
    }
}
