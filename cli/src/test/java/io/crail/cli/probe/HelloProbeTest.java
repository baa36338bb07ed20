// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.ClusterFixture;
import io.crail.error.ProtocolException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class HelloProbeTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void aNamenodeTellsWhatItIs() throws IOException {
        HelloProbe.Answer answer = HelloProbe.ask(Endpoint.parse(CLUSTER.namenode()), LONG);
        assertThat(answer.hello().orElseThrow().software()).startsWith("crail ");
        assertThat(answer.hello().orElseThrow().local().isPresent()).isTrue();
    }

    @Test
    void whoSaysNothingIsNoServer() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint at = new Endpoint("127.0.0.1", mute.getLocalPort());
            assertThatThrownBy(() -> HelloProbe.ask(at, Duration.ofMillis(100)))
                    .isInstanceOf(SocketTimeoutException.class);
            assertThat(HelloProbe.answers(at, Duration.ofMillis(100))).isFalse();
        }
    }

    @Test
    void whoSaysSomethingElseIsNoServer() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread =
                    new Thread(
                            () -> {
                                try (Socket socket = other.accept()) {
                                    socket.getOutputStream().write(new byte[100]);
                                    int ignored = socket.getInputStream().read(new byte[4096]);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            thread.setDaemon(true);
            thread.start();
            Endpoint at = new Endpoint("127.0.0.1", other.getLocalPort());
            assertThatThrownBy(() -> HelloProbe.ask(at, LONG))
                    .isInstanceOf(ProtocolException.class);
        }
    }
}
