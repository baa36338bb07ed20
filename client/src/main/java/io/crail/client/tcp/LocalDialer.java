// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.IoContext;
import io.crail.client.stream.Dialer;
import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Connects to the Unix socket of a namenode, if its directory holds the cookie. */
record LocalDialer(LocalEndpoint endpoint) implements Dialer {
    @Override
    public String peer() {
        return endpoint.directory() + "/" + LocalEndpoint.SOCKET;
    }

    @Override
    public void find(
            IoContext io, BiConsumer<@Nullable SocketAddress, @Nullable IOException> result) {
        boolean taken =
                io.executeBlocking(
                        () -> {
                            try {
                                SocketAddress found = UnixDomainSocketAddress.of(endpoint.find());
                                io.execute(() -> result.accept(found, null));
                            } catch (IOException e) {
                                io.execute(() -> result.accept(null, e));
                            }
                        });
        if (!taken) {
            IOException busy = new IOException("too many tasks wait for files");
            io.execute(() -> result.accept(null, busy));
        }
    }

    @Override
    public SocketChannel newSocket(IoContext io) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.configureBlocking(false);
        return channel;
    }
}
