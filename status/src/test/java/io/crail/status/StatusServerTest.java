// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.Party;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that mean no good: the status goes on, and costs a bounded amount. */
@Timeout(120)
class StatusServerTest {
    private static final int CONNECTIONS = 64;
    private static final String START = "GET /metrics HTTP/1.1\r\nHost: x\r\n";

    static {
        // Longer than by default, so that the slow are still there when the others are answered.
        System.setProperty("sun.net.httpserver.maxReqTime", "8");
    }

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private StatusServer server;

    private final class Source implements StatusSource {
        private final AtomicInteger now = new AtomicInteger();

        @Override
        public String role() {
            return "test";
        }

        @Override
        public void collect(Scrape scrape) {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            scrape.value(Metric.gauge("crail_test_asked", "Asked."), asked.incrementAndGet());
            now.decrementAndGet();
        }

        @Override
        public Optional<String> problem() {
            return Optional.empty();
        }
    }

    @BeforeEach
    void start() throws IOException {
        server =
                StatusServer.start(
                                StatusConfig.LOOPBACK,
                                AuthenticationConfig.DEFAULT,
                                Party.NAMENODE,
                                new Source())
                        .orElseThrow();
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    private HttpRequest request() {
        return HttpRequest.newBuilder(URI.create(server.url() + "/metrics"))
                .timeout(Duration.ofSeconds(30))
                .build();
    }

    private int get() throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request(), HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    private Socket open(String said) throws IOException {
        Socket socket = new Socket(server.address().getAddress(), server.address().getPort());
        sockets.add(socket);
        socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** Whether the server has not hung up within so long. */
    private static boolean isOpen(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false; // Reset: what it had not read yet was thrown away.
        }
    }

    @Test
    void slowSendersKeepNobodyWaitingAndAreCutOff() throws IOException, InterruptedException {
        assertThat(get()).isEqualTo(200); // What is slow the first time is not slow then.
        for (int i = 0; i < CONNECTIONS / 2; i++) {
            Socket ignored = open(i % 2 == 0 ? START : "GE");
        }
        assertThat(get()).isEqualTo(200);
        for (Socket socket : sockets) {
            assertThat(isOpen(socket, 1)).as("answered while the slow ones were there").isTrue();
        }
        for (Socket socket : sockets) {
            assertThat(isOpen(socket, 60_000)).isFalse();
        }
    }

    @Test
    void connectionsOnTopAreClosedAndTheStatusComesBack() throws IOException, InterruptedException {
        for (int i = 0; i < 3 * CONNECTIONS; i++) {
            try {
                Socket ignored = open(START);
            } catch (IOException e) {
                assertThat(i).as("connections before the first refusal").isGreaterThan(1);
            }
        }
        for (Socket socket : sockets) {
            assertThat(isOpen(socket, 60_000)).isFalse();
        }
        assertThat(get()).isEqualTo(200);
    }

    @Test
    void manyRequestsAreAnsweredTwoAtATime() {
        HttpClient client = HttpClient.newHttpClient();
        var answers =
                IntStream.range(0, CONNECTIONS / 2)
                        .mapToObj(
                                i ->
                                        client.sendAsync(
                                                request(), HttpResponse.BodyHandlers.ofString()))
                        .toList();
        answers.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
        assertThat(asked).hasValue(CONNECTIONS / 2);
        assertThat(most.get()).isBetween(1, 2);
    }

    @Test
    void anEndlessHeaderIsRefused() throws IOException {
        Socket socket = open(START);
        byte[] line =
                "X-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"
                        .getBytes(StandardCharsets.US_ASCII);
        boolean refused = false;
        for (int i = 0; i < 100_000 && !refused; i++) {
            try {
                socket.getOutputStream().write(line);
            } catch (IOException e) {
                refused = true;
            }
        }
        assertThat(refused).isTrue();
    }
}
