// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * A connection over TCP or a Unix socket. All of it belongs to the loop's thread.
 *
 * <p>Reading stops ({@code paused}) while the peer leaves its answers lying, and goes on when half
 * of them are gone; frames that are in the receive buffer already wait there. A connection that
 * used up its share of a turn with whole frames left is queued for the next turn ({@link
 * EventLoop#again}), because the selector would not report these.
 */
final class SocketConnection extends Connection {
    private enum State {
        OPEN,
        /** Takes no requests; closes when the replies are gone. */
        FINISHING,
        /** Replies are gone; waits for the peer to close, so that no reset destroys them. */
        DRAINING,
        CLOSED
    }

    private final EventLoop loop;
    private final RpcOptions options;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final SocketAddress remote;
    private final LocalEndpoint local;
    private final ReceiveBuffer in;
    private final SendBuffer out;

    private State state = State.OPEN;
    private int maxFrame = ProtocolLimits.MAX_HELLO_FRAME;
    private boolean paused;
    private int accounted;

    private final Deadline hello = new Deadline();
    private final Deadline frame = new Deadline();
    private final Deadline send = new Deadline();
    private final Deadline finish = new Deadline();

    /** Marks of the loop's lists, so that a connection is in each at most once. */
    boolean isDirty;

    boolean isQueued;
    boolean isHeld;
    boolean isHot;

    /** When it had its last request; of {@link HotConnections}. */
    long hotTurn;

    SocketConnection(
            EventLoop loop,
            RpcOptions options,
            SocketChannel channel,
            SelectionKey key,
            SocketAddress remote,
            LocalEndpoint local) {
        this.loop = loop;
        this.options = options;
        this.channel = channel;
        this.key = key;
        this.remote = remote;
        this.local = local;
        this.in = new ReceiveBuffer(loop.buffers());
        this.out = new SendBuffer(loop.buffers(), options.maxUnsent());
        hello.start(loop.now(), options.helloTimeout().toNanos());
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public LocalEndpoint local() {
        return local;
    }

    @Override
    public boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public void established(int newMaxFrame) {
        maxFrame = newMaxFrame;
        hello.stop();
        loop.greeted(this);
    }

    @Override
    public WireWriter beginReply(int type, long requestId, long traceId) {
        if (state == State.OPEN && out.unsent() > options.maxUnsent()) {
            close("does not take its answers: " + out.unsent() + " bytes are waiting");
        }
        loop.dirty(this);
        return out.begin(type, requestId, traceId);
    }

    @Override
    public void beginPayload() {
        if (out.isReplyOpen()) {
            out.beginPayload();
        }
    }

    @Override
    public void endReply(int status, long epoch) {
        if (out.isReplyOpen()) { // not after a close in between
            out.end(status, epoch);
        }
        if (state == State.CLOSED) {
            out.discard();
        } else {
            account();
        }
    }

    @Override
    public void abandonReply() {
        out.abandon();
    }

    @Override
    protected void appendPayload(ByteBuffer payload) {
        if (out.isReplyOpen()) {
            out.beginPayload();
            out.replyWriter().raw(payload);
        }
    }

    @Override
    public void close(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        loop.closed(this, accounted, reason);
        accounted = 0;
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            loop.misbehaved(this, "close failed: " + e.getMessage());
        }
    }

    /**
     * Gives the memory of a closed connection back. Not earlier than at the end of the turn: the
     * handler may be reading a request of it, or writing a reply to it, when it is closed, and
     * another connection would get the same buffers.
     */
    void releaseBuffers() {
        in.release();
        out.discard();
    }

    @Override
    public void closeAfterReplies(String reason) {
        if (state == State.OPEN) {
            loop.misbehaved(this, reason);
            state = State.FINISHING;
            finish.start(loop.now(), options.sendTimeout().toNanos());
            loop.dirty(this);
        }
    }

    /** The selector found the connection ready. */
    void ready() {
        if (!key.isValid()) {
            close("its key is no longer valid");
            return;
        }
        int ops = key.readyOps();
        if ((ops & SelectionKey.OP_WRITE) != 0) {
            flush();
        }
        if ((ops & SelectionKey.OP_READ) != 0 && !isQueued) {
            receive(); // else behind the others, in this turn
        }
    }

    /** As {@link #receive}, without having heard of the selector; whether anything was there. */
    boolean look() {
        return !isQueued && receive();
    }

    /** Handles what has arrived, as far as this turn's share goes; whether anything was there. */
    boolean receive() {
        try {
            if (state == State.DRAINING) {
                drain();
            } else {
                return state == State.OPEN && !paused && readAndHandle();
            }
        } catch (ProtocolException e) {
            loop.misbehaved(this, e.getMessage());
            close("malformed frame");
        } catch (IOException e) {
            close("read failed: " + e.getMessage());
        } catch (RuntimeException e) {
            fail(e);
        }
        return true;
    }

    private boolean readAndHandle() throws IOException {
        int before = options.bytesPerTurn();
        int share = handleFrames(before);
        boolean any = share < before;
        while (share > 0 && state == State.OPEN && !paused) {
            int read = in.read(channel, in.frameLength(maxFrame));
            if (read < 0) {
                close("closed by the peer");
                return true;
            }
            account();
            loop.traffic().received(read);
            if (read == 0) {
                break;
            }
            any = true;
            share = handleFrames(share);
            if (!in.wasFilled()) {
                break; // the socket was empty: do not ask it again
            }
        }
        if (state == State.OPEN) {
            noteUnfinishedFrame(share);
        }
        return any;
    }

    /** Handles whole frames; returns what is left of the share, not positive if it is used up. */
    private int handleFrames(int share) throws ProtocolException {
        int left = share;
        while (left > 0 && state == State.OPEN && !paused) {
            int length = in.frameLength(maxFrame);
            if (length == 0 || in.available() < length) {
                return left;
            }
            handle(in.bytes(), in.start(), length);
            if (state != State.OPEN) {
                return 0;
            }
            in.consume(length);
            loop.handled(this);
            frame.stop();
            left -= length;
            if (out.unsent() >= options.pauseReading()) {
                paused = true;
                updateInterest();
            }
        }
        return left;
    }

    private void handle(ByteBuffer bytes, int at, int length) {
        bytes.limit(at + length).position(at + FrameHeader.SIZE);
        try {
            loop.handler().request(this, bytes, at);
        } catch (RuntimeException e) {
            loop.defect("request from " + remote + " failed", e);
            bytes.clear();
            answerInternal(bytes, at);
        } finally {
            bytes.clear();
        }
    }

    private void answerInternal(ByteBuffer bytes, int at) {
        replyError(
                FrameHeader.type(bytes, at),
                FrameHeader.requestId(bytes, at),
                FrameHeader.traceId(bytes, at),
                loop.handler().epoch(),
                ErrorCode.INTERNAL,
                "the namenode failed to handle the request because of a defect; its log has the"
                        + " details");
    }

    private void noteUnfinishedFrame(int share) {
        if (paused) {
            frame.stop(); // it is we who do not read
        } else if (share <= 0) {
            loop.again(this);
        } else if (in.available() > 0) {
            frame.startIfStopped(loop.now(), options.frameTimeout().toNanos());
        }
    }

    /** A defect in handling this connection must not reach the others. */
    private void fail(RuntimeException e) {
        loop.defect("connection from " + remote + " failed", e);
        close("defect");
    }

    private void drain() throws IOException {
        in.release();
        int read = in.read(channel, 0);
        in.release();
        if (read < 0) {
            close("finished");
        }
    }

    /** Ends a batch for this connection and sends what may leave. */
    void endBatch(long ticket) {
        if (state == State.CLOSED) {
            out.discard();
            return;
        }
        if (ticket == RequestHandler.DISCARD) {
            if (out.hasUnsealed()) {
                close("its answers were withdrawn");
            }
            return;
        }
        out.seal(ticket);
        flush();
    }

    /** Sends what waited for tickets up to this one. */
    void release(long ticket) {
        out.release(ticket);
        flush();
    }

    boolean hasHeld() {
        return out.hasHeld();
    }

    private void flush() {
        if (state == State.CLOSED) {
            return;
        }
        try {
            int written = out.write(channel);
            loop.traffic().sent(written);
            if (out.ready() == 0) {
                send.stop();
            } else if (written > 0) {
                send.start(loop.now(), options.sendTimeout().toNanos());
            } else {
                send.startIfStopped(loop.now(), options.sendTimeout().toNanos());
            }
            resume();
            if (state == State.FINISHING && out.unsent() == 0) {
                channel.shutdownOutput();
                state = State.DRAINING;
            }
            updateInterest();
        } catch (IOException e) {
            close("write failed: " + e.getMessage());
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    private void resume() {
        if (paused && out.unsent() <= options.pauseReading() / 2) {
            paused = false;
            loop.again(this);
        }
    }

    private void updateInterest() {
        boolean read = state == State.DRAINING || (state == State.OPEN && !paused);
        int ops = (read ? SelectionKey.OP_READ : 0) | (out.ready() > 0 ? SelectionKey.OP_WRITE : 0);
        if (key.isValid() && key.interestOps() != ops) {
            key.interestOps(ops);
        }
    }

    /** Enforces the timeouts and gives unneeded memory back. */
    void sweep() {
        long now = loop.now();
        if (hello.isPast(now)) {
            loop.misbehaved(this, "no hello within " + options.helloTimeout().toMillis() + " ms");
            close("no hello in time");
        } else if (frame.isPast(now)) {
            loop.misbehaved(
                    this, "unfinished frame for " + options.frameTimeout().toMillis() + " ms");
            close("unfinished frame");
        } else if (send.isPast(now)) {
            loop.misbehaved(
                    this, "took no answers for " + options.sendTimeout().toMillis() + " ms");
            close("takes no answers");
        } else if (finish.isPast(now)) {
            close("did not close in time");
        } else {
            in.trim();
            out.trim();
            account();
        }
    }

    /** Tells the loop how much memory this connection holds. */
    private void account() {
        int holds = in.capacity() + out.capacity();
        if (holds != accounted) {
            int change = holds - accounted;
            accounted = holds;
            if (loop.account(change) && change > 0) {
                loop.misbehaved(this, "the buffers of all connections together are at their limit");
                close("out of buffers");
            }
        }
    }
}
