// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.CallerProof;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.authentication.SecretFile;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.Ping;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.segment.Segment;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers at a storage server that asks for the secret. */
class DataAuthenticationTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final UUID ANY = new UUID(0, 0);
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Grants GRANTS = new Grants(KEY, 7, 99);
    private static final byte[] NOTHING = {};
    private static final int MAX_CONNECTIONS = 40;

    @TempDir private Path directory;
    private Credentials credentials = Credentials.NONE;
    private Segment segment;
    private TcpDataService service;

    @BeforeEach
    void start() throws IOException {
        credentials = credentials("secret");
        start(new ServiceLimits(MAX_CONNECTIONS, LONG, LONG, LONG, LONG));
    }

    private Credentials credentials(String name) throws CrailException {
        Path file = directory.resolve(name);
        SecretFile.create(file, new SecureRandom());
        return AuthenticationConfig.required(file).forCaller();
    }

    private void start(ServiceLimits limits) throws IOException {
        segment =
                TestSegments.create(
                        Files.createDirectories(directory.resolve("segments")), 0, 1 << 20);
        Blocks blocks = new Blocks();
        blocks.add(new BlockTable(segment));
        service =
                new TcpDataService(
                        blocks,
                        limits,
                        "127.0.0.1",
                        0,
                        new LoopOptions("nio", 2, true),
                        null,
                        new Gatekeeper(credentials, Party.STORAGE_SERVER));
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 5));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private RawClient connect() throws IOException {
        return new RawClient(service.port());
    }

    private CallerProof client() {
        return new CallerProof(credentials, Party.CLIENT, Party.STORAGE_SERVER, "test");
    }

    private static Hello.Request hello() {
        return RawClient.helloOf(ANY, GRANTS.session(), GRANTS.ticket());
    }

    /** Challenged, and the proof that would be right. */
    private static byte[] challenged(RawClient client, CallerProof proof, Hello.Request hello)
            throws IOException {
        RawClient.Answer challenge = client.call(proof.offer(hello), NOTHING);
        assertThat(challenge.status()).isZero();
        return proof.answer(challenge.control()).orElseThrow().proof();
    }

    private static RawClient.Answer authenticate(RawClient client, byte[] proof)
            throws IOException {
        return client.call(new Authenticate.Request(proof), NOTHING);
    }

    private static void assertRefused(RawClient client, RawClient.Answer answer)
            throws IOException {
        assertThat(answer.status()).isEqualTo(ErrorCode.ACCESS_DENIED.wire());
        assertThat(client.isClosedByServer()).isTrue();
    }

    private void enterAndRead() throws IOException {
        try (RawClient client = connect()) {
            byte[] right = challenged(client, client(), hello());
            assertThat(authenticate(client, right).status()).isZero();
            var block = GRANTS.block(0, 0, 4096, segment.incarnation());
            assertThat(client.read(block, 0, 4096, 0).payload()).hasSize(4096);
        }
    }

    /**
     * As a client does, which connects again: when this machine is slow, its own connection may be
     * the oldest stranger for a moment.
     */
    private void enterInTheEnd() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                enterAndRead();
                return;
            } catch (EOFException | SocketException e) {
                if (tries == 50) {
                    throw e;
                }
            }
        }
    }

    @Test
    void whoKnowsTheSecretIsServed() throws IOException {
        enterAndRead();
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void nothingIsServedBeforeTheHelloIsComplete(MessageType type) throws IOException {
        byte[] frame = RawClient.frame(new Ping.Request(), type.wire(), 1, NOTHING);
        if (type != MessageType.HELLO) {
            try (RawClient stranger = connect()) {
                stranger.sendRaw(frame);
                assertThat(stranger.isClosedByServer()).isTrue();
            }
        }
        if (type != MessageType.AUTHENTICATE) {
            try (RawClient stranger = connect()) {
                assertThat(challenged(stranger, client(), hello())).hasSize(32);
                stranger.sendRaw(frame);
                assertThat(stranger.isClosedByServer()).isTrue();
            }
        }
        enterAndRead();
    }

    @Test
    void whoOffersNothingIsToldWhatToDo() throws IOException {
        try (RawClient stranger = connect()) {
            RawClient.Answer answer = stranger.call(hello(), NOTHING);
            assertThat(new WireReader(answer.control()).string(1024))
                    .contains("storage server", "security.secret-file");
            assertRefused(stranger, answer);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 33, 64})
    void noncesAndProofsOfAnotherLengthAreRefused(int length) throws IOException {
        try (RawClient stranger = connect()) {
            Hello.Request odd = hello().withNonce(new byte[length]);
            assertRefused(stranger, stranger.call(odd, NOTHING));
        }
        try (RawClient stranger = connect()) {
            byte[] right = challenged(stranger, client(), hello());
            assertRefused(stranger, authenticate(stranger, Arrays.copyOf(right, length)));
        }
    }

    @Test
    void aProofOfAnEarlierConnectionIsRefused() throws IOException {
        CallerProof proof = client();
        Hello.Request sent = proof.offer(hello());
        byte[] earlier;
        try (RawClient first = connect()) {
            byte[] challenge = first.call(sent, NOTHING).control();
            earlier = proof.answer(challenge).orElseThrow().proof();
            assertThat(authenticate(first, earlier).status()).isZero();
        }
        try (RawClient second = connect()) {
            assertThat(second.call(sent, NOTHING).status()).isZero();
            assertRefused(second, authenticate(second, earlier));
        }
    }

    @Test
    void theServersOwnProofIsRefused() throws IOException {
        try (RawClient stranger = connect()) {
            byte[] control = stranger.call(client().offer(hello()), NOTHING).control();
            byte[] challenge = Hello.Reply.decode(new WireReader(control)).challenge();
            assertRefused(stranger, authenticate(stranger, Arrays.copyOfRange(challenge, 32, 64)));
        }
    }

    @Test
    void aProofForANamenodeIsRefused() throws IOException {
        try (RawClient stranger = connect()) {
            CallerProof elsewhere =
                    new CallerProof(credentials, Party.CLIENT, Party.NAMENODE, "test");
            byte[] control = stranger.call(elsewhere.offer(hello()), NOTHING).control();
            assertThatThrownBy(() -> elsewhere.answer(control))
                    .isInstanceOf(AccessDeniedException.class);
        }
    }

    @Test
    void aStorageServerIsNoClient() throws IOException {
        Hello.Request plain = hello();
        Hello.Request storage =
                new Hello.Request(
                        plain.magic(),
                        1,
                        1,
                        Hello.ROLE_STORAGE,
                        0,
                        0,
                        ANY,
                        0,
                        plain.session(),
                        plain.secret(),
                        plain.token(),
                        0,
                        "test");
        CallerProof proof =
                new CallerProof(credentials, Party.STORAGE_SERVER, Party.STORAGE_SERVER, "test");
        try (RawClient stranger = connect()) {
            assertRefused(stranger, stranger.call(proof.offer(storage), NOTHING));
        }
    }

    @Test
    void clusterAndTicketAreLookedAtAfterTheProof() throws IOException {
        for (Hello.Request wrong :
                List.of(
                        RawClient.helloOf(new UUID(1, 2), GRANTS.session(), GRANTS.ticket()),
                        RawClient.helloOf(ANY, GRANTS.session(), GRANTS.ticket() + 1),
                        RawClient.helloOf(ANY, 0, 0))) {
            try (RawClient friend = connect()) {
                byte[] right = challenged(friend, client(), wrong);
                assertRefused(friend, authenticate(friend, right));
            }
        }
    }

    @Test
    void authenticatingAgainChangesNothing() throws IOException {
        try (RawClient client = connect()) {
            byte[] right = challenged(client, client(), hello());
            assertThat(authenticate(client, right).status()).isZero();
            assertThat(authenticate(client, right).status()).isEqualTo(ErrorCode.PROTOCOL.wire());
            assertThat(client.ping().status()).isZero();
        }
    }

    @Test
    void beforeTheHelloIsCompleteOnlySmallFramesAreTaken() throws IOException {
        try (RawClient stranger = connect()) {
            assertThat(challenged(stranger, client(), hello())).hasSize(32);
            stranger.sendRaw(
                    RawClient.frame(
                            new Ping.Request(),
                            MessageType.AUTHENTICATE.wire(),
                            1,
                            new byte[ProtocolLimits.MAX_HELLO_FRAME]));
            assertThat(stranger.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aChallengedCallerThatSaysNothingIsDropped() throws IOException {
        service.close();
        TestSegments.files(directory.resolve("segments")).removeAll();
        start(new ServiceLimits(MAX_CONNECTIONS, Duration.ofMillis(300), LONG, LONG, LONG));
        // Again when the caller was late itself.
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(
                        () -> {
                            try (RawClient stranger = connect()) {
                                assertThat(challenged(stranger, client(), hello())).hasSize(32);
                                assertThat(stranger.isClosedByServer()).isTrue();
                            }
                        });
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(this::enterAndRead);
    }

    @Test
    void thousandsOfHalfOpenHandshakesDisturbNobody() throws IOException {
        byte[] greeting = RawClient.frame(client().offer(hello()), 1, NOTHING);
        List<RawClient> open = new ArrayList<>();
        try (RawClient friend = connect()) {
            byte[] right = challenged(friend, client(), hello());
            assertThat(authenticate(friend, right).status()).isZero();
            for (int i = 0; i < 10_000; i++) {
                RawClient stranger = connect();
                open.add(stranger);
                if (i % 2 == 0) {
                    stranger.sendRaw(greeting);
                }
                if (open.size() > 2 * MAX_CONNECTIONS) {
                    open.remove(0).close();
                }
                if (i % 100 == 0) {
                    assertThat(friend.ping().status()).isZero();
                    enterInTheEnd(); // Others still come in: the oldest stranger makes room.
                    assertThat(service.statistics().connections())
                            .isLessThanOrEqualTo(2L * MAX_CONNECTIONS);
                }
            }
        } finally {
            for (RawClient stranger : open) {
                stranger.close();
            }
        }
        enterInTheEnd();
    }
}
