// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.IoContext;
import io.crail.client.stream.Dialer;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Resolves a host anew for each connection. */
record TcpDialer(String host, int port) implements Dialer {
    @Override
    public String peer() {
        return host + ":" + port;
    }

    @Override
    public void find(
            IoContext io, BiConsumer<@Nullable SocketAddress, @Nullable IOException> result) {
        io.resolve(host, port, result::accept);
    }

    @Override
    public SocketChannel newSocket(IoContext io) throws IOException {
        SocketChannel socket = io.newSocket();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return socket;
    }
}
