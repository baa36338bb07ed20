// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.BufferPool;
import io.crail.client.spi.Exchange;
import io.crail.client.spi.IoContext;
import io.crail.client.spi.RpcChannel;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection over a stream socket that carries frames.
 *
 * <p><b>Locks.</b> The send lock is held by whoever posts a frame, for non-blocking writes only;
 * the receive lock by the poller, for non-blocking reads only. Neither is held during a callback.
 * Who needs both takes the send lock first.
 *
 * <p><b>Cancel safety.</b> A payload target is written to under the receive lock only, a payload is
 * read under the send lock only. {@code withdraw} detaches the exchange under the respective lock:
 * afterwards nobody can reach the buffers.
 *
 * <p><b>Order.</b> An exchange is pending before its first byte can leave, so its answer finds it.
 * It stops being pending when its answer is complete or the connection is closed, whichever comes
 * first: each gets one outcome.
 */
public final class StreamChannel implements RpcChannel {
    private static final Logger LOG = LoggerFactory.getLogger(StreamChannel.class);

    /** A peer that owes answers and says nothing for so long is taken for lost. */
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /**
     * So many requests that were sent and not answered keep a peer busy for as long as a post
     * takes.
     */
    private static final int ENOUGH_TO_DO = 2;

    /** Frames that may wait to be sent together. */
    private static final int MOST_WAITING = 32;

    /** A larger payload is worth a write of its own. */
    private static final int SMALL_PAYLOAD = 1 << 10;

    private final IoContext io;
    private final Listener listener;
    private final Dialer dialer;
    private final ReentrantLock sendLock = new ReentrantLock();
    private final ReentrantLock receiveLock = new ReentrantLock();
    private final ConcurrentMap<Long, Exchange> pending = new ConcurrentHashMap<>();
    private final FrameSender sender;
    private final FrameReceiver receiver;
    private final BufferPool.@Nullable Lease buffers;

    /** When the peer was last heard, or began to owe an answer. */
    private volatile long lastHeard;

    private volatile @Nullable SocketChannel socket;
    private volatile IoContext.@Nullable Registration registration;

    private final Runnable flushLater = this::flushLater;

    /** Guarded by the send lock. */
    private boolean connected;

    /** Frames have been left for a flush that is to come; guarded by the send lock. */
    private boolean flushesLater;

    /** The selector is to tell more than that there is something to read. */
    private volatile boolean watchesMore = true;

    private volatile @Nullable CrailException closed;

    private StreamChannel(
            Dialer dialer,
            IoContext io,
            Listener listener,
            int bufferBytes,
            BufferPool.@Nullable Lease buffers) {
        this.io = io;
        this.listener = listener;
        this.dialer = dialer;
        this.buffers = buffers;
        if (buffers == null) {
            // Nothing can be sent; the connection fails at once, in an orderly way.
            sender = new FrameSender(ByteBuffer.allocate(0));
            receiver = new FrameReceiver(ByteBuffer.allocate(0), pending::get, this::claim);
        } else {
            ByteBuffer memory = buffers.buffer();
            sender = new FrameSender(memory.slice(0, bufferBytes).order(ByteOrder.LITTLE_ENDIAN));
            receiver =
                    new FrameReceiver(
                            memory.slice(bufferBytes, bufferBytes).order(ByteOrder.LITTLE_ENDIAN),
                            pending::get,
                            this::claim);
        }
    }

    /** Begins to connect. */
    public static StreamChannel open(
            Dialer dialer, int bufferBytes, IoContext io, Listener listener) {
        BufferPool.Lease lease = io.buffers().tryAcquireReserved(2 * bufferBytes);
        StreamChannel channel = new StreamChannel(dialer, io, listener, bufferBytes, lease);
        if (lease == null) {
            channel.close(
                    new BusyException(
                            "no buffer for a connection to "
                                    + channel.peer()
                                    + ": the client's buffer pool is exhausted; raise"
                                    + " bufferPoolBytes or close streams"));
            return channel;
        }
        dialer.find(
                io,
                (address, failure) -> {
                    if (address != null) {
                        channel.connect(address);
                    } else {
                        channel.close(channel.lost("its address cannot be found", failure));
                    }
                });
        io.schedule(io.connectTimeoutNanos(), channel::giveUpConnecting);
        return channel;
    }

    private void connect(SocketAddress address) {
        if (closed != null) {
            return;
        }
        try {
            SocketChannel made = dialer.newSocket(io);
            socket = made;
            boolean done = made.connect(address);
            registration =
                    io.register(
                            made,
                            done ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT,
                            new Events());
            if (closed != null) {
                made.close();
            } else if (done) {
                opened();
            }
        } catch (IOException e) {
            close(lost("it was refused", e));
        }
    }

    private void giveUpConnecting() {
        if (!isConnected() && closed == null) {
            close(lost("no answer within the connect timeout", null));
        }
    }

    private boolean isConnected() {
        sendLock.lock();
        try {
            return connected;
        } finally {
            sendLock.unlock();
        }
    }

    private void opened() throws IOException {
        refuseItself();
        sendLock.lock();
        try {
            connected = true;
        } finally {
            sendLock.unlock();
        }
        listener.opened(this);
        flush();
    }

    /**
     * A connection to a local port on which nobody listens may be given that very port as its own
     * and then is connected to itself (RFC 9293, simultaneous open). It would keep the server from
     * coming back, so it is reset.
     */
    private void refuseItself() throws IOException {
        SocketChannel channel = socket;
        if (channel != null && channel.getLocalAddress().equals(channel.getRemoteAddress())) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            throw new ConnectException("nobody listens there");
        }
    }

    private final class Events implements IoContext.ReadyHandler {
        @Override
        public void ready(int operations) {
            StreamChannel.this.ready(operations);
        }

        @Override
        public int look() {
            return StreamChannel.this.look();
        }
    }

    private int look() {
        SocketChannel channel = socket;
        // Before it is connected, and while the socket takes no more, only the selector knows.
        if (channel == null || pending.isEmpty() || closed != null || watchesMore) {
            return IoContext.ReadyHandler.EXPECTS_NOTHING;
        }
        try {
            return receive(channel);
        } catch (IOException e) {
            fail(e);
            return 1;
        }
    }

    private void ready(int operations) {
        SocketChannel channel = socket;
        if (channel == null || closed != null) {
            return;
        }
        try {
            if ((operations & SelectionKey.OP_CONNECT) != 0 && channel.finishConnect()) {
                interest(SelectionKey.OP_READ);
                opened();
            }
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                flush();
            }
            if ((operations & SelectionKey.OP_READ) != 0) {
                receive(channel);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private boolean claim(Exchange exchange) {
        return pending.remove(exchange.requestId(), exchange);
    }

    private int receive(SocketChannel channel) throws IOException {
        int received = 0;
        List<FrameReceiver.Answer> complete = new ArrayList<>();
        IOException failure = null;
        receiveLock.lock();
        try {
            received = receiver.receive(channel, complete);
        } catch (IOException e) {
            failure = e;
        } finally {
            receiveLock.unlock();
        }
        if (failure != null || received > 0) {
            lastHeard = io.nanoTime();
        }
        complete.forEach(FrameReceiver.Answer::deliver);
        if (failure != null) {
            throw failure;
        }
        return received;
    }

    @Override
    public void send(Exchange exchange) {
        if (pending.isEmpty()) {
            lastHeard = io.nanoTime();
        }
        pending.put(exchange.requestId(), exchange);
        boolean later;
        sendLock.lock();
        try {
            sender.add(exchange);
            later = leaveForLater(exchange.payload());
        } finally {
            sendLock.unlock();
        }
        if (closed != null) {
            io.execute(this::failPending);
        } else if (!later) {
            flush();
        }
    }

    /**
     * Whether the frame just added may go out with the next ones, in one write: if the peer has
     * enough to do, and the sender will be back soon. Guarded by the send lock.
     */
    private boolean leaveForLater(@Nullable ByteBuffer payload) {
        int waiting = sender.waiting();
        if (waiting >= MOST_WAITING
                || pending.size() - waiting < ENOUGH_TO_DO
                || (payload != null && payload.remaining() > SMALL_PAYLOAD)
                || !io.willWait()) {
            return false;
        }
        if (!flushesLater) {
            flushesLater = true;
            io.flushLater(flushLater);
        }
        return true;
    }

    private void flushLater() {
        sendLock.lock();
        try {
            flushesLater = false;
        } finally {
            sendLock.unlock();
        }
        flush();
    }

    private void flush() {
        sendLock.lock();
        try {
            SocketChannel channel = socket;
            if (!connected || closed != null || channel == null) {
                return;
            }
            boolean all = sender.flush(channel);
            interest(all ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        } catch (IOException e) {
            io.execute(() -> fail(e));
        } finally {
            sendLock.unlock();
        }
    }

    private void interest(int operations) {
        watchesMore = operations != SelectionKey.OP_READ;
        IoContext.Registration current = registration;
        if (current != null) {
            current.interestOps(operations);
        }
    }

    @Override
    public Withdrawn withdraw(Exchange exchange) {
        Withdrawn result;
        sendLock.lock();
        try {
            result = sender.withdraw(exchange);
        } finally {
            sendLock.unlock();
        }
        if (result == Withdrawn.UNSENT) {
            pending.remove(exchange.requestId(), exchange);
        } else {
            receiveLock.lock();
            try {
                receiver.detach(exchange);
            } finally {
                receiveLock.unlock();
            }
            giveUpIfSilent();
        }
        return result;
    }

    /**
     * Somebody gave up waiting. If the peer has been silent for long, the connection may be dead
     * without anybody having told (a host that vanished, a forgetful firewall): a new one is
     * better.
     */
    private void giveUpIfSilent() {
        long silent = io.nanoTime() - lastHeard;
        if (silent > SILENCE_NANOS && closed == null) {
            close(lost("no answer for " + TimeUnit.NANOSECONDS.toSeconds(silent) + " s", null));
        }
    }

    private void fail(IOException e) {
        LOG.debug("Connection to {} failed.", peer(), e);
        String what = isConnected() ? "it broke" : "it was refused";
        close(e instanceof CrailException known ? known : lost(what, e));
    }

    private ServerLostException lost(String why, @Nullable Throwable cause) {
        String detail = cause == null ? "" : " (" + cause.getMessage() + ")";
        return new ServerLostException("no connection to " + peer() + ": " + why + detail, cause);
    }

    @Override
    public void close(CrailException cause) {
        sendLock.lock();
        try {
            if (closed != null) {
                return;
            }
            closed = cause;
        } finally {
            sendLock.unlock();
        }
        SocketChannel channel = socket;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("Closing the connection to {} failed.", peer(), e);
            }
        }
        io.execute(() -> finish(cause));
    }

    /** On the polling thread, so that no read is going on while the buffers go back. */
    private void finish(CrailException cause) {
        sendLock.lock();
        receiveLock.lock();
        try {
            if (buffers != null) {
                buffers.close();
            }
        } finally {
            receiveLock.unlock();
            sendLock.unlock();
        }
        failPending();
        listener.closed(this, cause);
    }

    private void failPending() {
        CrailException cause = closed;
        for (Exchange exchange : pending.values()) {
            if (cause != null && pending.remove(exchange.requestId(), exchange)) {
                exchange.failed(cause);
            }
        }
    }

    @Override
    public String peer() {
        return dialer.peer();
    }
}
