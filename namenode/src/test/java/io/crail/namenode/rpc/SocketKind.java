// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** What a server is called over. Every server listens on both; suites run over each. */
enum SocketKind {
    TCP {
        @Override
        SocketAddress address(RpcServer server) {
            return server.address();
        }
    },
    UNIX {
        @Override
        SocketAddress address(RpcServer server) {
            return UnixDomainSocketAddress.of(server.localSocket().orElseThrow());
        }
    };

    /** Where a client of this kind goes. */
    abstract SocketAddress address(RpcServer server);

    /** A server whose Unix socket is somewhere below {@code temporary}. */
    static RpcServer bind(Path temporary, TestHandler handler, RpcOptions options) {
        try {
            Path home = Files.createTempDirectory(temporary, "");
            return RpcServer.bind(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    UnixSocket.in(home, new SecureRandom()),
                    options,
                    handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
