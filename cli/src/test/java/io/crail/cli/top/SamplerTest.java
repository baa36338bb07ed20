// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.crail.cli.probe.StatusPage;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are well, mute, gone, or somebody else. */
@Timeout(60)
class SamplerTest {
    private static final Statistics.Reply NOW = ActivityTest.statistics(ActivityTest.SERVER);

    private HttpServer http;
    private ServerSocket mute;
    private String page = "";

    @BeforeEach
    void listen() throws IOException {
        mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        http.createContext(
                "/metrics",
                exchange -> {
                    byte[] body = page.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        http.start();
    }

    @AfterEach
    void close() throws IOException {
        http.stop(0);
        mute.close();
    }

    private String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    private Snapshot take(Sampler.Target namenode, Sampler.Target server, Duration patience) {
        Sampler.Source source =
                new Sampler.Source() {
                    @Override
                    public Statistics.Reply statistics() {
                        return NOW;
                    }

                    @Override
                    public Sampler.Target namenode(Statistics.Reply now) {
                        return namenode;
                    }

                    @Override
                    public Sampler.Target server(
                            Statistics.Reply now, Statistics.ServerCapacity known) {
                        return server;
                    }
                };
        return sampler(source, patience).take();
    }

    private static Snapshot.Page server(Snapshot taken) {
        return Objects.requireNonNull(taken.servers().get(4));
    }

    private static Sampler sampler(Sampler.Source source, Duration patience) {
        StatusPage pages = new StatusPage(Optional.empty(), Runnable::run, patience);
        return new Sampler(source, pages, patience, () -> 42);
    }

    @Test
    void pagesOfAllServersAreTaken() {
        page = Sampler.SERVER_ID + " 4\n";
        Snapshot taken =
                take(Sampler.Target.at(url()), Sampler.Target.at(url()), Duration.ofSeconds(30));
        assertThat(taken.nanos()).isEqualTo(42);
        assertThat(taken.namenode().metrics()).isPresent();
        assertThat(server(taken).metrics()).isPresent();
    }

    @Test
    void anotherServerAtTheAddressIsNotTakenForIt() {
        page = Sampler.SERVER_ID + " 5\n";
        Snapshot taken =
                take(Sampler.Target.none("x"), Sampler.Target.at(url()), Duration.ofSeconds(30));
        assertThat(server(taken).failure()).contains("another server");
        page = "something_else 4\n";
        taken = take(Sampler.Target.none("x"), Sampler.Target.at(url()), Duration.ofSeconds(30));
        assertThat(server(taken).failure()).contains("another server");
    }

    @Test
    void aMuteServerIsNotWaitedFor() {
        Snapshot taken =
                take(
                        Sampler.Target.none("not shown"),
                        Sampler.Target.at("http://127.0.0.1:" + mute.getLocalPort()),
                        Duration.ofMillis(100));
        assertThat(taken.statistics()).isPresent();
        assertThat(taken.namenode().failure()).isEqualTo("not shown");
        assertThat(server(taken).failure()).contains("does not answer in time");
    }

    @Test
    void aNamenodeThatDoesNotAnswerLeavesAnEmptySnapshot() {
        Sampler.Source lost =
                new Sampler.Source() {
                    @Override
                    public Statistics.Reply statistics() throws CrailException {
                        throw new ServerLostException("gone");
                    }

                    @Override
                    public Sampler.Target namenode(Statistics.Reply now) {
                        throw new AssertionError();
                    }

                    @Override
                    public Sampler.Target server(
                            Statistics.Reply now, Statistics.ServerCapacity known) {
                        throw new AssertionError();
                    }
                };
        Snapshot taken = sampler(lost, Duration.ofSeconds(1)).take();
        assertThat(taken.statistics()).isEmpty();
        assertThat(taken.failure()).isEqualTo("gone");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:7, true, http://127.0.0.1:7",
        "http://127.0.0.1:7, false, ''",
        "http://10.0.0.3:7, false, http://10.0.0.3:7",
        "http://0.0.0.0:7, false, http://node:7",
        "http://[0:0:0:0:0:0:0:0]:7, false, http://node:7",
        "'', true, ''",
        "nonsense, true, ''",
        "'http://x y', true, ''"
    })
    void loopbackIsLookedForOnlyOnItsOwnHost(String url, boolean isHere, String expected) {
        Sampler.Target target = ConnectedSource.target(url, "node", isHere);
        assertThat(target.url()).isEqualTo(expected);
        assertThat(target.why().isEmpty()).isEqualTo(!expected.isEmpty());
    }
}
