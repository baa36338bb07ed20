// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.local.LocalEndpoint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Accepts connections over TCP, or over a Unix socket. All but opening belongs to the loop's
 * thread.
 */
final class Acceptor implements Closeable {
    private static final int BACKLOG = 1024;
    private static final int ACCEPTS_PER_TURN = 64;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final EventLoop loop;
    private final RpcOptions options;
    private final LocalEndpoint local;
    private final SelectionKey key;

    private Acceptor(
            ServerSocketChannel listener,
            Selector selector,
            EventLoop loop,
            RpcOptions options,
            LocalEndpoint local)
            throws IOException {
        this.listener = listener;
        this.selector = selector;
        this.loop = loop;
        this.options = options;
        this.local = local;
        this.key = listener.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    /**
     * Listens for TCP connections.
     *
     * @param local what those are told that come from this host
     */
    static Acceptor open(
            InetSocketAddress bind,
            LocalEndpoint local,
            Selector selector,
            EventLoop loop,
            RpcOptions options)
            throws IOException {
        ServerSocketChannel listener = selector.provider().openServerSocketChannel();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
        return listen(listener, bind, local, selector, loop, options);
    }

    /** Listens on a Unix socket. */
    static Acceptor open(
            UnixDomainSocketAddress bind, Selector selector, EventLoop loop, RpcOptions options)
            throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return listen(listener, bind, LocalEndpoint.NONE, selector, loop, options);
    }

    private static Acceptor listen(
            ServerSocketChannel listener,
            SocketAddress bind,
            LocalEndpoint local,
            Selector selector,
            EventLoop loop,
            RpcOptions options)
            throws IOException {
        try {
            listener.configureBlocking(false);
            listener.bind(bind, BACKLOG);
            return new Acceptor(listener, selector, loop, options, local);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw new IOException("cannot listen on " + bind + ": " + e.getMessage(), e);
        }
    }

    SocketAddress address() throws IOException {
        return listener.getLocalAddress();
    }

    /** Accepts what is waiting, some at a time. */
    void ready() {
        for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException e) {
                // Most likely no descriptor is free; until one is, the selector would not wait.
                loop.warn("cannot accept a connection: " + e.getMessage());
                key.interestOps(0);
                loop.acceptLater(this);
                return;
            }
            if (channel == null) {
                return;
            }
            admit(channel);
        }
    }

    /** Accepts again after a failure. */
    void resume() {
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void admit(SocketChannel channel) {
        try {
            SocketAddress own = channel.getLocalAddress();
            // The peer of a Unix socket has no name.
            SocketAddress remote =
                    own instanceof InetSocketAddress ? channel.getRemoteAddress() : own;
            if (loop.connectionCount() >= options.maxConnections() && !loop.dropOldestStranger()) {
                channel.close();
                loop.warn(
                        "connection from "
                                + remote
                                + " refused: there are "
                                + options.maxConnections()
                                + " already");
                return;
            }
            channel.configureBlocking(false);
            if (own instanceof InetSocketAddress) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            }
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            SocketConnection connection =
                    new SocketConnection(
                            loop,
                            options,
                            channel,
                            key,
                            remote,
                            isSameHost(own, remote) ? local : LocalEndpoint.NONE);
            key.attach(connection);
            loop.opened(connection);
        } catch (IOException e) {
            loop.warn("cannot set up a connection: " + e.getMessage());
            closeQuietly(channel);
        }
    }

    /** A host calls itself from a loopback address, or from the very address that it calls. */
    private static boolean isSameHost(SocketAddress own, SocketAddress remote) {
        return own instanceof InetSocketAddress here
                && remote instanceof InetSocketAddress there
                && (there.getAddress().isLoopbackAddress()
                        || there.getAddress().equals(here.getAddress()));
    }

    private void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            loop.warn("cannot close a connection: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
