// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Where a {@link Peer} listens, for clients in any process of this host.
 *
 * @param port of the loopback interface; 0 = the Unix socket is meant
 * @param socket path of the Unix socket; empty = the port is meant
 */
public record Door(int port, String socket) {
    /** A blocking connection over which the peer does that work. The caller closes it. */
    SocketChannel connect(PeerWork work) throws IOException {
        SocketChannel channel = SocketChannel.open(address());
        boolean complete = false;
        try {
            if (port != 0) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            PeerWork.drain(channel, ByteBuffer.wrap(new byte[] {work.letter()}));
            complete = true;
            return channel;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    private SocketAddress address() {
        return port != 0
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : UnixDomainSocketAddress.of(Path.of(socket));
    }
}
