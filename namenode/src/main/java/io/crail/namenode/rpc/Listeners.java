// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.local.LocalEndpoint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server listens on: TCP, and a Unix socket if there is one.
 *
 * @param tcp the one that is always there
 * @param local acceptor of the Unix socket, or null
 * @param socket the Unix socket, or null
 */
record Listeners(Acceptor tcp, @Nullable Acceptor local, @Nullable UnixSocket socket)
        implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    /**
     * Opens them.
     *
     * @param wanted closed if it cannot be listened on
     */
    static Listeners open(
            InetSocketAddress bind,
            @Nullable UnixSocket wanted,
            Selector selector,
            EventLoop loop,
            RpcOptions options)
            throws IOException {
        Acceptor local = wanted == null ? null : tryOpen(wanted, selector, loop, options);
        UnixSocket socket = local == null ? null : wanted;
        try {
            LocalEndpoint told = socket == null ? LocalEndpoint.NONE : socket.endpoint();
            return new Listeners(Acceptor.open(bind, told, selector, loop, options), local, socket);
        } catch (IOException | RuntimeException e) {
            close(local, socket);
            throw e;
        }
    }

    private static @Nullable Acceptor tryOpen(
            UnixSocket socket, Selector selector, EventLoop loop, RpcOptions options)
            throws IOException {
        try {
            return Acceptor.open(socket.address(), selector, loop, options);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("No Unix socket; clients of this host use TCP, too: {}", e.getMessage());
            socket.close();
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            tcp.close();
        } finally {
            close(local, socket);
        }
    }

    private static void close(@Nullable Acceptor local, @Nullable UnixSocket socket)
            throws IOException {
        try {
            if (local != null) {
                local.close();
            }
        } finally {
            if (socket != null) {
                socket.close();
            }
        }
    }
}
