// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.LocalRelay;
import io.crail.client.testing.ReceivedFrame;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of a client to a namenode that tells of a Unix socket, and back. */
class LocalNamenodeTest extends ClientTestBase {
    private @TempDir Path directory;
    private LocalRelay relay;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    LocalNamenodeTest() {}

    @BeforeEach
    void openTheSocket() throws IOException {
        relay = new LocalRelay(directory, cluster().namenode().port());
        cluster().namenode().tell(relay.endpoint());
        cluster().namenode().keepAliveMillis(60_000);
    }

    @AfterEach
    void closeTheSocket() throws IOException {
        relay.close();
    }

    private List<MessageType> received() {
        return cluster().namenode().received().stream().map(ReceivedFrame::type).toList();
    }

    private static String peer(CrailClient client) {
        return client.clientStatistics().namenode();
    }

    private static void awaitPeer(CrailClient client, String peer) {
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            client.ping();
                            assertThat(peer(client)).isEqualTo(peer);
                        });
    }

    @Test
    void theSessionIsOpenedOverTheSocketAfterAHelloOverTheNetwork() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            assertThat(peer(client)).isEqualTo(relay.peer());
            assertThat(received())
                    .startsWith(MessageType.HELLO, MessageType.HELLO, MessageType.SESSION_OPEN)
                    .containsOnlyOnce(MessageType.SESSION_OPEN);
            assertThat(relay.accepted()).isEqualTo(1);
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
            assertThat(client.clientStatistics().reconnects()).isZero();
        }
    }

    @Test
    void aClientThatIsToldNotToStaysOnTheNetwork() throws IOException {
        ClientConfig config = cluster().config().unixSocket(false).build();
        try (CrailClient client = CrailClient.connect(config)) {
            client.mkdir("/a");
            assertThat(peer(client)).isEqualTo(cluster().namenode().endpoint());
            assertThat(relay.accepted()).isZero();
        }
    }

    @Test
    void aDirectoryWithAnotherCookieIsNotEntered() throws IOException {
        Files.write(relay.cookieFile(), new byte[32]);
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            assertThat(peer(client)).isEqualTo(cluster().namenode().endpoint());
            assertThat(relay.accepted()).isZero();
            assertThat(received()).containsOnlyOnce(MessageType.HELLO);
        }
    }

    @Test
    void aBrokenConnectionIsMadeAgainOverTheSocketAtOnce() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            relay.dropConnections();
            awaitPeer(client, relay.peer());
            client.mkdir("/b");
            assertThat(relay.accepted()).isEqualTo(2);
            assertThat(received().stream().filter(MessageType.HELLO::equals)).hasSize(3);
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
        }
    }

    @Test
    void whenTheSocketRefusesTheSessionGoesOnOverTheNetwork() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            relay.stop();
            client.mkdir("/b");
            awaitPeer(client, cluster().namenode().endpoint());
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
            relay.start();
            client.mkdir("/c");
            assertThat(peer(client))
                    .as("what works is left alone")
                    .isEqualTo(cluster().namenode().endpoint());
            cluster().namenode().dropConnections();
            awaitPeer(client, relay.peer());
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
        }
    }

    @Test
    void aSocketThatAcceptsAndSaysNothingCostsATimeoutOnce() throws IOException {
        relay.mute();
        ClientConfig config = cluster().config().connectTimeout(Duration.ofSeconds(2)).build();
        try (CrailClient client = CrailClient.connect(config)) {
            client.mkdir("/a");
            assertThat(peer(client)).isEqualTo(cluster().namenode().endpoint());
            assertThat(relay.accepted()).isEqualTo(1);
        }
    }

    @Test
    void aMutationWhoseAnswerWasLostWithTheSocketTakesEffectOnce() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            long before = cluster().namenode().executed();
            AtomicInteger lost = new AtomicInteger();
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() != MessageType.CREATE
                                        || lost.getAndIncrement() > 0) {
                                    return false;
                                }
                                connection.respond(frame);
                                relay.stop();
                                return true;
                            });
            client.mkdir("/b");
            assertThat(cluster().namenode().executed() - before).isEqualTo(1);
            assertThat(peer(client)).isEqualTo(cluster().namenode().endpoint());
        }
    }

    @Test
    void aSessionThatExpiredIsOpenedAnewOverTheSocket() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            cluster().namenode().expireSession();
            assertThat(client.lookup("/a")).isPresent();
            assertThat(client.clientStatistics().sessions()).isEqualTo(2);
            assertThat(peer(client)).isEqualTo(relay.peer());
        }
    }

    @Test
    void anotherLifeOfTheNamenodeIsFoundThroughTheNetwork() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            cluster().namenode().stop();
            relay.stop();
            try (LocalRelay next = new LocalRelay(directory, cluster().namenode().port())) {
                cluster().namenode().tell(next.endpoint());
                cluster().namenode().start();
                client.mkdir("/b");
                assertThat(peer(client)).isEqualTo(next.peer());
                assertThat(client.clientStatistics().sessions()).isEqualTo(1);
            }
        }
    }
}
