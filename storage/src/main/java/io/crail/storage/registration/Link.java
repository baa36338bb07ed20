// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One connection to a namenode: sends requests, correlates answers, notices silence. Requests may
 * be outstanding side by side and are answered in any order.
 *
 * <p>Used by the registration thread only, which drives it by {@link #poll}. Nothing here waits
 * longer than it is told to.
 */
final class Link implements AutoCloseable {
    /** Takes the answer to a request. */
    @FunctionalInterface
    interface ReplyHandler {
        /** Called in the registration thread, with the epoch of the namenode that answered. */
        void reply(long epoch, WireReader control) throws CrailException;
    }

    private record Outstanding(String what, long deadlineNanos, ReplyHandler handler) {}

    private static final int MAX_FRAME = FrameHeader.SIZE + ProtocolLimits.MAX_CONTROL;
    private static final int BUFFER = 64 << 10;

    private final NamenodeAddress address;
    private final Selector selector;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final LongSupplier nanoTime;
    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private final Map<Long, Outstanding> outstanding = new HashMap<>();
    private ByteBuffer in = ByteBuffer.allocate(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private long nextId = 1;

    private Link(
            NamenodeAddress address,
            Selector selector,
            SocketChannel channel,
            SelectionKey key,
            LongSupplier nanoTime) {
        this.address = address;
        this.selector = selector;
        this.channel = channel;
        this.key = key;
        this.nanoTime = nanoTime;
    }

    /** Begins to connect; requests may be sent right away and leave when the connection stands. */
    static Link open(NamenodeAddress address, Selector selector, LongSupplier nanoTime)
            throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        if (resolved.isUnresolved()) {
            throw new ServerLostException("host name of namenode " + address + " is not known");
        }
        SocketChannel channel = selector.provider().openSocketChannel();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            boolean connected = channel.connect(resolved);
            SelectionKey key =
                    channel.register(
                            selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
            return new Link(address, selector, channel, key, nanoTime);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Queues a request. The handler is called from {@link #poll} when the answer is success. */
    void request(Message message, long timeoutMillis, ReplyHandler handler) {
        long id = nextId++;
        WireWriter writer = new WireWriter(4096, MAX_FRAME);
        writer.raw(new byte[FrameHeader.SIZE]);
        message.encode(writer);
        ByteBuffer frame = writer.buffer();
        FrameHeader.putRequest(
                frame,
                0,
                0,
                message.type().wire(),
                id,
                0,
                (int) timeoutMillis,
                frame.position() - FrameHeader.SIZE,
                0,
                0,
                0);
        out.add(frame.flip());
        outstanding.put(
                id,
                new Outstanding(
                        message.type().name(),
                        nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis),
                        handler));
    }

    /**
     * Moves bytes and delivers answers until something happened or the time is over.
     *
     * @throws CrailException if the connection is of no use any more, or the namenode answered with
     *     an error
     */
    void poll(long timeoutMillis) throws CrailException {
        try {
            write();
            selector.select(Math.max(1, Math.min(timeoutMillis, untilFirstDeadline())));
            selector.selectedKeys().clear();
            if (key.isConnectable() && channel.finishConnect()) {
                checkPeer();
                key.interestOps(SelectionKey.OP_READ);
            }
            if (channel.isConnected()) {
                write();
                read();
            }
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new ServerLostException("namenode " + address + ": " + e.getMessage(), e);
        }
        checkDeadlines();
    }

    @Override
    public void close() {
        try {
            channel.close();
            selector.selectNow(); // Lets go of the key and with it of the descriptor.
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("closing the connection to " + address, e);
        }
    }

    /**
     * On loopback, a connect to a port where nobody listens can meet itself when the kernel happens
     * to choose that port as its source. It would keep the namenode from its port.
     */
    private void checkPeer() throws IOException {
        if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
            throw new ServerLostException("namenode " + address + " does not listen");
        }
    }

    private void write() throws IOException {
        if (!channel.isConnected()) {
            return;
        }
        while (!out.isEmpty()) {
            ByteBuffer frame = out.getFirst();
            channel.write(frame);
            if (frame.hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            out.removeFirst();
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    private void read() throws IOException {
        int count;
        while ((count = channel.read(in)) > 0) {
            in.flip();
            takeFrames();
            in.compact();
        }
        if (count < 0) {
            throw new ServerLostException("namenode " + address + " closed the connection");
        }
    }

    private void takeFrames() throws CrailException {
        while (in.remaining() >= FrameHeader.SIZE) {
            int at = in.position();
            FrameHeader.check(in, at, MAX_FRAME);
            int length = FrameHeader.length(in, at);
            if (in.remaining() < length) {
                reserve(length);
                return;
            }
            in.position(at + length);
            deliver(at);
        }
    }

    private void reserve(int length) {
        if (in.capacity() < length) {
            // Stays in "flipped" state, as the caller expects.
            in = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN).put(in).flip();
        }
    }

    private void deliver(int at) throws CrailException {
        Outstanding request = outstanding.remove(FrameHeader.requestId(in, at));
        if (request == null || !FrameHeader.isResponse(in, at)) {
            throw new ProtocolException("namenode " + address + " answers what nobody asked");
        }
        WireReader control =
                new WireReader(in.slice(at + FrameHeader.SIZE, FrameHeader.controlLength(in, at)));
        int status = FrameHeader.status(in, at);
        if (status != 0) {
            throw CrailException.of(
                    ErrorCode.ofWire(status),
                    "namenode "
                            + address
                            + " refuses "
                            + request.what
                            + ": "
                            + control.string(ProtocolLimits.MAX_ERROR_MESSAGE));
        }
        request.handler.reply(FrameHeader.epoch(in, at), control);
    }

    private long untilFirstDeadline() {
        long now = nanoTime.getAsLong();
        long first = Long.MAX_VALUE;
        for (Outstanding request : outstanding.values()) {
            first = Math.min(first, request.deadlineNanos - now);
        }
        return TimeUnit.NANOSECONDS.toMillis(first) + 1;
    }

    private void checkDeadlines() throws TimeoutException {
        long now = nanoTime.getAsLong();
        for (Outstanding request : outstanding.values()) {
            if (now - request.deadlineNanos > 0) {
                throw new TimeoutException(
                        "namenode " + address + " does not answer " + request.what + " in time");
            }
        }
    }
}
