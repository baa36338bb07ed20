// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How a client sets up its connections. */
final class SocketOptionsTest extends ClientTestBase {
    @Test
    void connectionsOfAClientSendAtOnce() throws IOException {
        List<SocketChannel> sockets = new CopyOnWriteArrayList<>();
        ClientConfig config =
                cluster()
                        .config()
                        .sockets(
                                () -> {
                                    SocketChannel socket = SocketChannel.open();
                                    sockets.add(socket);
                                    return socket;
                                })
                        .build();
        try (CrailClient client = CrailClient.connect(config)) {
            write(client, "/f", bytes(200_000, 1));
            assertThat(readAll(client, "/f")).isEqualTo(bytes(200_000, 1));
            List<SocketChannel> open = sockets.stream().filter(SocketChannel::isOpen).toList();
            assertThat(open).hasSizeGreaterThan(1); // To the namenode and to storage servers.
            for (SocketChannel each : open) {
                assertThat(each.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
            }
        }
    }
}
