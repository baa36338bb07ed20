// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fetches end in time with what they should, whatever answers. */
@Timeout(60)
class StatusPageTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Says something on a connection. */
    private interface Speaker {
        void speak(Socket socket, OutputStream out) throws IOException;
    }

    private ServerSocket server;
    private final StatusPage pages =
            new StatusPage(Optional.of("t0ken"), Runnable::run, Duration.ofSeconds(5));

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void answer(Speaker speaker) {
        Thread thread =
                new Thread(
                        () -> {
                            try (Socket socket = server.accept()) {
                                byte[] request = new byte[4096];
                                int length = socket.getInputStream().read(request);
                                assertThat(
                                                new String(
                                                        request,
                                                        0,
                                                        length,
                                                        StandardCharsets.US_ASCII))
                                        .contains("Authorization: Bearer t0ken");
                                speaker.speak(socket, socket.getOutputStream());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        thread.setUncaughtExceptionHandler((where, failure) -> {});
        thread.setDaemon(true);
        thread.start();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private String fetch(Duration patience) {
        return pages.fetch(url(), "/metrics", patience).join();
    }

    @Test
    void aPageIsFetchedWithTheToken() {
        answer((socket, out) -> write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"));
        assertThat(fetch(LONG)).isEqualTo("hi");
    }

    @Test
    void aBodyThatNeverEndsIsGivenUpInTime() {
        answer(
                (socket, out) -> {
                    write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhi");
                    int end = socket.getInputStream().read(); // Until the other side hangs up.
                    assertThat(end).isNegative();
                });
        assertThatThrownBy(() -> fetch(Duration.ofMillis(200)))
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void silenceIsGivenUpInTime() {
        answer((socket, out) -> assertThat(socket.getInputStream().read()).isNegative());
        assertThatThrownBy(() -> fetch(Duration.ofMillis(200)))
                .hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void aPageWithoutEndIsRefused() {
        answer(
                (socket, out) -> {
                    write(out, "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n");
                    byte[] piece = new byte[64 << 10];
                    for (int i = 0; i < 1000; i++) {
                        out.write(piece);
                    }
                });
        assertThatThrownBy(() -> fetch(LONG)).hasCauseInstanceOf(ProtocolException.class);
    }

    @Test
    void aServerThatWantsATokenIsToldApart() {
        answer((socket, out) -> write(out, "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"));
        assertThatThrownBy(() -> fetch(LONG)).hasCauseInstanceOf(AccessDeniedException.class);
    }

    @Test
    void strangersAreNoStatusPages() {
        answer((socket, out) -> write(out, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"));
        assertThatThrownBy(() -> fetch(LONG)).hasCauseInstanceOf(ProtocolException.class);
    }

    @Test
    void nobodyIsALostServer() throws IOException {
        String url = url();
        server.close();
        assertThatThrownBy(() -> pages.fetch(url, "/metrics", LONG).join())
                .hasCauseInstanceOf(ServerLostException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "ftp://x:1", "http://[x"})
    void whatIsNoAddressIsRefused(String url) {
        assertThatThrownBy(() -> pages.fetch(url, "/metrics", LONG).join())
                .hasCauseInstanceOf(InvalidArgumentException.class);
    }
}
