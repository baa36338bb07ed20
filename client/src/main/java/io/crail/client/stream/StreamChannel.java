// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.BufferPool;
import io.crail.client.spi.Exchange;
import io.crail.client.spi.IoContext;
import io.crail.client.spi.PendingExchanges;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection over a stream socket that carries frames.
 *
 * <p><b>Locks.</b> {@link Outgoing} lets one thread send at a time; the receive lock is held by the
 * poller, for non-blocking reads only. Neither is held during a callback, nor both at once.
 *
 * <p><b>Cancel safety.</b> A payload target is written to under the receive lock only, a payload is
 * read under the lock for sending only. {@code withdraw} detaches the exchange under the respective
 * lock: afterwards nobody can reach the buffers.
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

    /** A larger payload is worth a write of its own. */
    private static final int SMALL_PAYLOAD = 1 << 10;

    private final IoContext io;
    private final Listener listener;
    private final Dialer dialer;
    private final ReentrantLock receiveLock = new ReentrantLock();
    private final PendingExchanges<Exchange> pending = new PendingExchanges<>();
    private final Outgoing outgoing;
    private final FrameReceiver receiver;
    private final BufferPool.@Nullable Lease buffers;

    /** When the peer was last heard, or began to owe an answer. */
    private volatile long lastHeard;

    private volatile @Nullable SocketChannel socket;
    private volatile IoContext.@Nullable Registration registration;

    /** The selector is to tell more than that there is something to read. */
    private volatile boolean watchesMore = true;

    private final AtomicReference<@Nullable CrailException> closed = new AtomicReference<>();

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
            outgoing = new Outgoing(ByteBuffer.allocate(0), new Sending(), io::nanoTime);
            receiver = new FrameReceiver(ByteBuffer.allocate(0), pending::get, this::claim);
        } else {
            ByteBuffer memory = buffers.buffer();
            outgoing =
                    new Outgoing(
                            memory.slice(0, bufferBytes).order(ByteOrder.LITTLE_ENDIAN),
                            new Sending(),
                            io::nanoTime);
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
        if (!isOpen()) {
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
            if (!isOpen()) {
                made.close();
            } else if (done) {
                opened();
            }
        } catch (IOException e) {
            close(lost("it was refused", e));
        }
    }

    private void giveUpConnecting() {
        if (!outgoing.isConnected() && isOpen()) {
            close(lost("no answer within the connect timeout", null));
        }
    }

    private boolean isOpen() {
        return closed.get() == null;
    }

    private void opened() throws IOException {
        refuseItself();
        outgoing.connected();
        listener.opened(this);
        outgoing.flushAll();
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
        if (channel == null || pending.isEmpty() || !isOpen() || watchesMore) {
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
        if (channel == null || !isOpen()) {
            return;
        }
        try {
            if ((operations & SelectionKey.OP_CONNECT) != 0 && channel.finishConnect()) {
                interest(SelectionKey.OP_READ);
                opened();
            }
            if ((operations & SelectionKey.OP_WRITE) != 0) {
                outgoing.flushAll();
            }
            if ((operations & SelectionKey.OP_READ) != 0) {
                receive(channel);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private boolean claim(Exchange exchange) {
        return pending.remove(exchange);
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
        deliver(complete);
        if (failure != null) {
            throw failure;
        }
        return received;
    }

    private void deliver(List<FrameReceiver.Answer> complete) {
        int awaited = 0;
        for (FrameReceiver.Answer each : complete) {
            awaited += each.exchange().isAwaitedAlone() ? 1 : 0;
        }
        if (awaited > 0) {
            outgoing.answered(awaited); // first: the first of them may be back before the last
        }
        complete.forEach(FrameReceiver.Answer::deliver);
    }

    @Override
    public void send(Exchange exchange) {
        if (pending.isEmpty()) {
            lastHeard = io.nanoTime();
        }
        pending.put(exchange);
        if (!isOpen()) {
            io.execute(this::failPending);
        } else if (!leaveForLater(exchange)) {
            outgoing.post(exchange);
        }
    }

    /** Whether the frame may go out with the next ones, since its sender will be back soon. */
    private boolean leaveForLater(Exchange exchange) {
        ByteBuffer payload = exchange.payload();
        if (!io.willWait() || (payload != null && payload.remaining() > SMALL_PAYLOAD)) {
            return false;
        }
        Outgoing.Left left = outgoing.leave(exchange, pending.size(), ENOUGH_TO_DO);
        if (left == Outgoing.Left.TO_CALLER) {
            io.flushLater(outgoing::flushLeft);
        }
        return left != Outgoing.Left.NOT;
    }

    private final class Sending implements Outgoing.Wire {
        @Override
        public @Nullable SocketChannel channel() {
            return socket;
        }

        @Override
        public void sent(boolean all) {
            interest(all ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }

        @Override
        public void sendFailed(IOException failure) {
            io.execute(() -> fail(failure));
        }

        @Override
        public void goOn() {
            io.execute(outgoing::flush);
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
        Withdrawn result = outgoing.withdraw(exchange);
        if (result == Withdrawn.UNSENT) {
            boolean unused = pending.remove(exchange);
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
        if (silent > SILENCE_NANOS && isOpen()) {
            close(lost("no answer for " + TimeUnit.NANOSECONDS.toSeconds(silent) + " s", null));
        }
    }

    private void fail(IOException e) {
        LOG.debug("Connection to {} failed.", peer(), e);
        String what = outgoing.isConnected() ? "it broke" : "it was refused";
        close(e instanceof CrailException known ? known : lost(what, e));
    }

    private ServerLostException lost(String why, @Nullable Throwable cause) {
        String detail = cause == null ? "" : " (" + cause.getMessage() + ")";
        return new ServerLostException("no connection to " + peer() + ": " + why + detail, cause);
    }

    @Override
    public void close(CrailException cause) {
        if (!closed.compareAndSet(null, cause)) {
            return;
        }
        outgoing.end();
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
        receiveLock.lock();
        try {
            if (buffers != null) {
                buffers.close();
            }
        } finally {
            receiveLock.unlock();
        }
        failPending();
        listener.closed(this, cause);
    }

    private void failPending() {
        CrailException cause = closed.get();
        for (Exchange exchange : pending.inOrder()) {
            if (cause != null && pending.remove(exchange)) {
                exchange.failed(cause);
            }
        }
    }

    @Override
    public String peer() {
        return dialer.peer();
    }
}
