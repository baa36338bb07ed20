// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.hello.Greeting;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.Exchange;
import io.crail.client.spi.IoContext;
import io.crail.client.spi.RpcChannel;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a data path, through its lives: not there, being made (transfers wait), in use.
 * The number of waiting transfers is bounded by those who submit: each stream and each read has a
 * bounded number under way.
 */
public final class Lane implements RpcChannel.Listener {
    private final DataPeer peer;
    private final Dialer dialer;
    private final IoContext io;
    private final int bufferBytes;
    private final Consumer<CrailException> atClose;
    private final AtomicLong ids = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as are all that follow. */
    private @Nullable RpcChannel channel;

    private boolean ready;
    private @Nullable CrailException ended;
    private final List<Exchange> waiting = new ArrayList<>();

    /**
     * @param bufferBytes in each direction: what goes in or out by one system call, apart from
     *     large payloads
     * @param atClose hears on the polling thread when a connection broke or could not be made,
     *     after all exchanges have failed
     */
    public Lane(
            DataPeer peer,
            Dialer dialer,
            IoContext io,
            int bufferBytes,
            Consumer<CrailException> atClose) {
        this.peer = peer;
        this.bufferBytes = bufferBytes;
        this.dialer = dialer;
        this.io = io;
        this.atClose = atClose;
    }

    /** The control part of a frame. */
    public static byte[] encode(Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_CONTROL);
        message.encode(writer);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    /** Id for the next exchange. */
    public long nextId() {
        return ids.incrementAndGet();
    }

    /** Sends an exchange, behind the hello; connects if there is no connection. */
    public void submit(Exchange exchange) {
        RpcChannel usable;
        lock.lock();
        try {
            CrailException cause = ended;
            if (cause != null) {
                io.execute(() -> exchange.failed(cause));
                return;
            }
            usable = ready ? channel : null;
            if (usable == null) {
                waiting.add(exchange);
                if (channel == null) {
                    channel = StreamChannel.open(dialer, bufferBytes, io, this);
                }
            }
        } finally {
            lock.unlock();
        }
        if (usable != null) {
            usable.send(exchange);
        }
    }

    /** See {@link RpcChannel#withdraw}. */
    public void withdraw(Exchange exchange) {
        RpcChannel current;
        lock.lock();
        try {
            if (waiting.remove(exchange)) {
                return;
            }
            current = channel;
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.withdraw(exchange);
        }
    }

    /** Closes the connection for good. */
    public void close(CrailException cause) {
        RpcChannel current;
        lock.lock();
        try {
            ended = cause;
            current = channel;
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.close(cause);
        }
    }

    @Override
    public void opened(RpcChannel opened) {
        Greeting.say(
                opened,
                peer.credentials(),
                Party.STORAGE_SERVER,
                hello(),
                this::nextId,
                (int) TimeUnit.NANOSECONDS.toMillis(io.connectTimeoutNanos()),
                new Welcome(opened));
    }

    private void helloDone(RpcChannel opened) {
        List<Exchange> released;
        lock.lock();
        try {
            ready = true;
            released = new ArrayList<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        released.forEach(opened::send);
    }

    @Override
    public void closed(RpcChannel lost, CrailException cause) {
        List<Exchange> stranded;
        lock.lock();
        try {
            channel = null;
            ready = false;
            stranded = new ArrayList<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        stranded.forEach(exchange -> exchange.failed(cause));
        atClose.accept(cause);
    }

    private final class Welcome implements Greeting.Outcome {
        private final RpcChannel opened;

        Welcome(RpcChannel opened) {
            this.opened = opened;
        }

        @Override
        public void greeted(Hello.Reply reply) throws ProtocolException {
            if (!reply.cluster().equals(peer.cluster())) {
                throw new ProtocolException(
                        "it belongs to cluster " + reply.cluster() + ", not to " + peer.cluster());
            }
            helloDone(opened);
        }

        @Override
        public void refused(CrailException cause, boolean believable) {
            opened.close(cause);
        }
    }

    private Hello.Request hello() {
        return new Hello.Request(
                ProtocolLimits.HELLO_MAGIC,
                ProtocolLimits.MIN_VERSION,
                ProtocolLimits.VERSION,
                Hello.ROLE_CLIENT,
                Hello.AUTHENTICATION_NONE,
                0,
                peer.cluster(),
                peer.epoch(),
                peer.session(),
                peer.ticket(),
                new byte[16],
                0,
                peer.clientName());
    }
}
