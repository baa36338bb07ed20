// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cluster.EmbeddedCluster;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetProbeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir private Path directory;

    @Test
    void aServerOfFlashAnswers() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(0).start()) {
            int flash =
                    cluster.addServer(
                            server ->
                                    server.tier("nvmf")
                                            .storageClass(1)
                                            .capacity(8 << 20)
                                            .tierOption("file", directory.resolve("f").toString())
                                            .tierOption("allocation", "sparse"));
            Endpoint target =
                    new Endpoint("127.0.0.1", cluster.storage(flash).endpoints().get(0).port());
            assertThat(TargetProbe.answers(target, PATIENCE)).isTrue();
        }
    }

    @Test
    void whoSaysNothingDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Endpoint at = new Endpoint("127.0.0.1", silent.getLocalPort());
            assertThat(TargetProbe.answers(at, Duration.ofMillis(50))).isFalse();
        }
    }

    @Test
    void whoSaysSomethingElseIsNoTarget() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answerWithZeros(other));
            thread.start();
            Endpoint at = new Endpoint("127.0.0.1", other.getLocalPort());
            assertThat(TargetProbe.answers(at, PATIENCE)).isFalse();
            thread.join(PATIENCE.toMillis());
        }
    }

    private static void answerWithZeros(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write(new byte[128]);
            socket.getInputStream().readNBytes(128);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
