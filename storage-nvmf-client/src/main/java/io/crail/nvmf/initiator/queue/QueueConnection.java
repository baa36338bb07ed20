// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.engine.ChannelHandler;
import io.crail.nvmf.initiator.engine.Engine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of a queue, of TCP or, to a controller that has one on this machine, a Unix socket,
 * and its place at the selector. Opened and closed by the poller; non-blocking for ever, since an
 * interrupt of a thread that blocks in it would close it for all. Thread-safe.
 */
final class QueueConnection {
    private static final Logger LOG = LoggerFactory.getLogger(QueueConnection.class);

    /** No more than an unprivileged process may have everywhere (net.core.wmem_max). */
    private static final int SEND_BUFFER = 208 << 10;

    private final Engine engine;
    private final QueueSettings settings;
    private volatile @Nullable SocketChannel channel;
    private volatile @Nullable SelectionKey key;

    QueueConnection(Engine engine, QueueSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * Begins to connect; the handler is told when that has an outcome.
     *
     * @return whether it is connected already
     */
    boolean open(InetSocketAddress address, ChannelHandler handler) throws IOException {
        Path local = settings.localSocket();
        boolean connected = local != null && connectLocally(local);
        SocketChannel socket = channel;
        if (!connected || socket == null) {
            socket = settings.sockets().open();
            channel = socket; // closed by close, whatever fails here
            socket.configureBlocking(false);
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connected = socket.connect(address);
        }
        key = engine.register(socket, SelectionKey.OP_CONNECT, handler);
        return connected;
    }

    /** Whether there is a connection now: to a Unix socket it is made at once, or not at all. */
    private boolean connectLocally(Path path) {
        boolean connected = false;
        try {
            SocketChannel socket = settings.sockets().openLocal();
            channel = socket;
            socket.configureBlocking(false);
            connected = socket.connect(UnixDomainSocketAddress.of(path));
            // Asked for, it counts twice: several commands with their data have room.
            socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("{} cannot connect to {}", settings.name(), path, e);
            connected = false;
        }
        if (!connected) {
            close();
        }
        return connected;
    }

    /** Null before it was opened. */
    @Nullable SocketChannel channel() {
        return channel;
    }

    /** Whether both ends are on this machine: by TCP they have the same address then. */
    boolean isLocal() {
        SocketChannel socket = channel;
        try {
            return socket != null
                    && (socket.getRemoteAddress() instanceof UnixDomainSocketAddress
                            || (socket.getLocalAddress() instanceof InetSocketAddress here
                                    && socket.getRemoteAddress() instanceof InetSocketAddress there
                                    && here.getAddress().equals(there.getAddress())));
        } catch (IOException e) {
            LOG.debug("{} has no addresses any more", settings.name(), e);
            return false;
        }
    }

    /** Waits for bytes, and for room to send if that is asked for. */
    void await(boolean room) {
        SelectionKey current = key;
        if (current != null) {
            engine.setInterest(
                    current,
                    room ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }
    }

    void close() {
        SocketChannel socket = channel;
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.debug("{} could not close its connection", settings.name(), e);
            }
        }
    }
}
