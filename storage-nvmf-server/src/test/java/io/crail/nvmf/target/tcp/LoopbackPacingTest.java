// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopbackPacingTest {
    private static final Path SS = Path.of("/usr/bin/ss");

    private ServerSocketChannel listener;

    @BeforeEach
    void open() throws IOException {
        listener = ServerSocketChannel.open();
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    /** How the kernel describes sockets with that local port: ss(8) of iproute2. */
    private static String described(int port) throws IOException, InterruptedException {
        Process ss =
                new ProcessBuilder(SS.toString(), "-Htin", "sport", "=", ":" + port)
                        .redirectErrorStream(true)
                        .start();
        String text = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(ss.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return text;
    }

    private int listen(InetAddress address) throws IOException {
        listener.bind(new InetSocketAddress(address, 0));
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    @Test
    void takesPacingFromConnectionsOfAListenerAtLoopback() throws Exception {
        assumeThat(LoopbackPacing.isPaced()).isTrue();
        assumeThat(IoUring.isAvailable()).isTrue();
        int port = listen(InetAddress.getLoopbackAddress());
        boolean done = LoopbackPacing.switchOff(listener);
        assumeThat(done).as("Linux 6.7 or later").isTrue();
        try (SocketChannel host =
                        SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                SocketChannel accepted = listener.accept()) {
            assertThat(accepted.isConnected() && host.isConnected()).isTrue();
            assumeThat(SS).exists();
            assertThat(described(port)).contains(" reno ").doesNotContain("bbr");
        }
    }

    @Test
    void leavesAListenerThatOthersReachAsTheMachineHasIt() throws Exception {
        listen(new InetSocketAddress(0).getAddress());
        assertThat(LoopbackPacing.switchOff(listener)).isFalse();
    }
}
