// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.IoContext;
import io.crail.client.stream.Dialer;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Connects to the Unix socket of a storage server. */
record UnixDialer(Path socket) implements Dialer {
    /**
     * The socket in the directory of a server. A link is followed here, because the address of a
     * socket holds 108 bytes only; may block.
     */
    static UnixDialer in(Path serverDirectory) throws IOException {
        Path socket = serverDirectory.resolve(SessionLayout.SOCKET);
        if (Files.isSymbolicLink(socket)) {
            socket = serverDirectory.resolve(Files.readSymbolicLink(socket));
        }
        return new UnixDialer(socket);
    }

    @Override
    public String peer() {
        return socket.toString();
    }

    @Override
    public void find(
            IoContext io, BiConsumer<@Nullable SocketAddress, @Nullable IOException> result) {
        io.execute(() -> result.accept(UnixDomainSocketAddress.of(socket), null));
    }

    @Override
    public SocketChannel newSocket(IoContext io) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.configureBlocking(false);
        return channel;
    }
}
