// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Accepts TCP connections. All but opening belongs to the loop's thread. */
final class TcpAcceptor implements Closeable {
    private static final int BACKLOG = 1024;
    private static final int ACCEPTS_PER_TURN = 64;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final EventLoop loop;
    private final RpcOptions options;
    private final SelectionKey key;

    private TcpAcceptor(
            ServerSocketChannel listener, Selector selector, EventLoop loop, RpcOptions options)
            throws IOException {
        this.listener = listener;
        this.selector = selector;
        this.loop = loop;
        this.options = options;
        this.key = listener.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    static TcpAcceptor open(
            InetSocketAddress bind, Selector selector, EventLoop loop, RpcOptions options)
            throws IOException {
        ServerSocketChannel listener = selector.provider().openServerSocketChannel();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.configureBlocking(false);
            listener.bind(bind, BACKLOG);
            return new TcpAcceptor(listener, selector, loop, options);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw new IOException("cannot listen on " + bind + ": " + e.getMessage(), e);
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.socket().getLocalSocketAddress();
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
            SocketAddress remote = channel.getRemoteAddress();
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
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            TcpConnection connection = new TcpConnection(loop, options, channel, key, remote);
            key.attach(connection);
            loop.opened(connection);
        } catch (IOException e) {
            loop.warn("cannot set up a connection: " + e.getMessage());
            closeQuietly(channel);
        }
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
