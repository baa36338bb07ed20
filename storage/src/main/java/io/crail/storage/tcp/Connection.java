// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.storage.block.BlockTable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: hello first, then requests, answered as they come.
 *
 * <p><b>Threads.</b> Everything runs in the connection's event loop; only {@link #closeIfHolding}
 * and {@link #close} may be called from elsewhere, and they enter it.
 *
 * <p><b>Memory.</b> At most a small input buffer, and answers up to the high-water mark of the
 * channel plus one; above it no frame is taken and nothing is read until the peer has taken some.
 * Payload has no memory of its own in either direction.
 *
 * <p><b>Errors.</b> A request that cannot be served gets an error and the connection goes on. A
 * refused hello or seal gets an error and the connection ends. A frame that cannot be valid ends it
 * at once: nobody knows where the next one starts. Silence within a frame and answers that nobody
 * takes end it after a while.
 *
 * <p><b>Half-closed peers</b> get the answers to what they asked for completely.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What becomes of a channel shows in channelInactive.
final class Connection extends ChannelInboundHandlerAdapter
        implements ConnectionInput.FrameHandler, Requests.Output {
    /**
     * So many bytes of answers are worth a write of their own: the peer takes them while the next
     * ones are made. Half of what a client receives at once.
     */
    private static final int FLUSH_AT = 32 << 10;

    private final ServiceState state;
    private final Channel channel;
    private final long arrival;
    private final Handshake handshake;
    private final ConnectionInput input;
    private final Holds holds;
    private final Requests requests;
    private final Attachment attachment;
    private final Patience patience;
    private @Nullable AccessCheck access;
    private @Nullable LoopCounters counters;

    /** Bytes of data in answers that were not handed to the kernel since the last flush. */
    private int unflushed;

    private boolean inputEnded;
    private boolean closing;

    Connection(ServiceState state, Channel channel) {
        this.state = state;
        this.channel = channel;
        this.arrival = state.nextArrival();
        this.handshake = new Handshake(state);
        this.input = new ConnectionInput(this);
        this.holds = new Holds(state);
        this.requests = new Requests(state, this, holds);
        this.attachment = new Attachment(state, channel);
        this.patience = new Patience(state.limits, channel, this::lose);
    }

    /** Connections that came later have higher numbers. */
    long arrival() {
        return arrival;
    }

    /** The same for the same arrivals, so that a set of connections has a fixed order. */
    @Override
    public int hashCode() {
        return Long.hashCode(arrival);
    }

    /** Identity. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    Receiver receiver() {
        return new Receiver(input);
    }

    /** Closes the connection if it holds a reference on the block. From any thread. */
    void closeIfHolding(BlockTable table, int slot, long generation) {
        channel.eventLoop()
                .execute(
                        () -> {
                            if (holds.holds(table, slot, generation)) {
                                lose("holds a revoked block for too long");
                            }
                        });
    }

    /** Closes the connection. From any thread. */
    void close() {
        channel.close();
    }

    /** Waits until the connection moves no more bytes. */
    boolean awaitClosed(long nanos) {
        return channel.closeFuture().awaitUninterruptibly(Math.max(0, nanos), NANOSECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        patience.start(() -> access != null, this::isWaitingForPeer);
        context.fireChannelActive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        // Comes for channels that never became active, too, and after their answers have failed.
        patience.stop();
        input.close();
        attachment.disconnected();
        state.remove(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        patience.received();
        try {
            input.received((ByteBuf) message);
        } catch (ProtocolException e) {
            lose(e.toString());
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        input.receiveComplete();
        flush();
        pauseOrResume();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            goOn();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            goOn();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof IOException)) { // That is a peer that went away.
            state.badPeers.warn("Closing connection of", channel.remoteAddress(), cause.toString());
        }
        channel.close();
    }

    @Override
    public boolean ready() {
        if (!channel.isWritable() || unflushed >= FLUSH_AT) {
            flush();
        }
        return channel.isWritable() && !closing;
    }

    @Override
    public @Nullable Payload frame(ByteBuffer view, int at) throws ProtocolException {
        Answers.Correlation to = Answers.Correlation.of(view, at);
        int payload = FrameHeader.payloadLength(view, at);
        if (FrameHeader.isResponse(view, at)) {
            throw new ProtocolException("a response, where requests are expected");
        }
        MessageType type = MessageType.ofWire(to.type());
        WireReader control =
                new WireReader(
                        view.slice(at + FrameHeader.SIZE, FrameHeader.controlLength(view, at)));
        if (access == null) {
            greet(type, to, view, at, control);
            return null;
        }
        try {
            return serve(access, type, to, view, at, control);
        } catch (AccessDeniedException e) {
            refuse(to, e);
            return null;
        } catch (CrailException e) {
            sendError(to, e);
            return payload == 0 ? null : Payload.dropped(payload);
        }
    }

    private void greet(
            @Nullable MessageType type,
            Answers.Correlation to,
            ByteBuffer view,
            int at,
            WireReader control)
            throws ProtocolException {
        if (type != handshake.expected()) {
            throw new ProtocolException("type " + to.type() + " before the hello is complete");
        }
        Requests.checkNoPayload(view, at);
        try {
            Message answer = handshake.answer(control);
            access = handshake.access();
            if (access != null) {
                input.acceptLargeFrames();
                state.greeted(this);
            }
            send(Answers.message(allocator(), to, answer));
        } catch (CrailException e) {
            refuse(to, e);
        }
    }

    private @Nullable Payload serve(
            AccessCheck access,
            @Nullable MessageType type,
            Answers.Correlation to,
            ByteBuffer view,
            int at,
            WireReader control)
            throws CrailException {
        if (type == MessageType.WRITE) {
            return requests.write(access, to, control, FrameHeader.payloadLength(view, at));
        }
        if (type == MessageType.READ) {
            Requests.checkNoPayload(view, at);
            requests.read(access, to, control);
        } else if (type == MessageType.PING) {
            Requests.checkNoPayload(view, at);
            send(Answers.empty(allocator(), to));
        } else if (type == MessageType.ATTACH) {
            Requests.checkNoPayload(view, at);
            send(Answers.message(allocator(), to, attachment.attach(access, control)));
        } else if (type == MessageType.DETACH) {
            Requests.checkNoPayload(view, at);
            attachment.detach();
            send(Answers.empty(allocator(), to));
        } else if (type == MessageType.AUDIT_SEGMENT) {
            Requests.checkNoPayload(view, at);
            send(Answers.message(allocator(), to, AuditAnswer.of(access, control)));
        } else {
            throw new ProtocolException("a storage server knows no request of type " + to.type());
        }
        return null;
    }

    @Override
    public void send(ByteBuf answer) {
        channel.write(answer, channel.voidPromise());
    }

    @Override
    public void send(ByteBuf header, ByteBuf payload, Runnable whenTaken) {
        unflushed += header.readableBytes() + payload.readableBytes();
        channel.write(header, channel.voidPromise());
        channel.write(payload).addListener(future -> whenTaken.run());
    }

    @Override
    public void sendError(Answers.Correlation to, CrailException error) {
        send(Answers.error(allocator(), to, error));
    }

    /** Found at the first request: only then is the channel sure to have its event loop. */
    @Override
    public LoopCounters counters() {
        LoopCounters known = counters;
        if (known == null) {
            known = state.counters(channel.eventLoop());
            counters = known;
        }
        return known;
    }

    @Override
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    /**
     * Answers, then ends the connection; drops what comes meanwhile, so that the answer arrives.
     */
    private void refuse(Answers.Correlation to, CrailException error) {
        state.badPeers.warn(
                "Refusing", channel.remoteAddress(), String.valueOf(error.getMessage()));
        closing = true;
        input.dropRest();
        sendError(to, error);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(future -> ((DuplexChannel) channel).shutdownOutput());
        patience.closing();
    }

    private void lose(String why) {
        state.badPeers.warn("Closing connection of", channel.remoteAddress(), why);
        channel.close();
    }

    /** Takes frames that waited, and reads on or ends. */
    private void goOn() {
        try {
            input.parse();
        } catch (ProtocolException e) {
            lose(e.toString());
            return;
        }
        flush();
        pauseOrResume();
        if (inputEnded && channel.isWritable()) {
            if (closing || input.isWithinFrame()) {
                channel.close();
            } else {
                channel.writeAndFlush(Unpooled.EMPTY_BUFFER)
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    private void flush() {
        unflushed = 0;
        channel.flush();
    }

    private void pauseOrResume() {
        boolean read = channel.isWritable() || closing;
        if (channel.config().isAutoRead() != read) {
            channel.config().setAutoRead(read);
        }
    }

    private boolean isWaitingForPeer() {
        return channel.config().isAutoRead() && input.isWithinFrame();
    }
}
