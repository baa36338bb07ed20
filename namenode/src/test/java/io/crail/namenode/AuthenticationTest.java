// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.SessionExpiredException;
import io.crail.error.VersionMismatchException;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.FrameLink.Header;
import io.crail.namenode.rpc.RpcOptions;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.CallerProof;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.authentication.SecretFile;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.SessionOpen;
import java.io.IOException;
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

/** Strangers at a namenode that asks for the secret. */
class AuthenticationTest {
    private static final byte[] NO_TOKEN = new byte[16];
    private static final int MAX_CONNECTIONS = 40;

    @TempDir private Path directory;
    private AuthenticationConfig config = AuthenticationConfig.DEFAULT;
    private TestNamenode namenode;

    @BeforeEach
    void start() throws IOException {
        config = AuthenticationConfig.required(secret("secret"));
        namenode = start(RpcOptions.defaults());
    }

    private TestNamenode start(RpcOptions options) throws IOException {
        return TestNamenode.start(
                directory.resolve("metadata"),
                builder -> builder.authentication(config).rpc(options));
    }

    @AfterEach
    void stop() throws IOException {
        namenode.close();
    }

    private Path secret(String name) throws CrailException {
        Path file = directory.resolve(name);
        SecretFile.create(file, new SecureRandom());
        return file;
    }

    private static CallerProof proof(Credentials credentials, Party self) {
        return new CallerProof(credentials, self, Party.NAMENODE, "test");
    }

    private CallerProof client() throws CrailException {
        return proof(config.forCaller(), Party.CLIENT);
    }

    private static Hello.Request hello() {
        return FrameLink.helloOf(Hello.ROLE_CLIENT, 0, NO_TOKEN);
    }

    private static Answer ask(FrameLink link, Message message) throws IOException {
        return ask(link, message.type(), FrameLink.control(message));
    }

    private static Answer ask(FrameLink link, MessageType type, byte[] control) throws IOException {
        link.send(FrameLink.frame(new Header(0, type.wire(), 1, 0, 0), control, new byte[0]));
        return link.receive();
    }

    /** Challenged, and the proof that would be right. */
    private static byte[] challenged(FrameLink link, CallerProof proof, Hello.Request hello)
            throws IOException {
        Answer challenge = ask(link, proof.offer(hello)).orThrow();
        assertThat(Hello.Reply.decode(challenge.reader()).authentication()).isEqualTo(1);
        return proof.answer(challenge.control()).orElseThrow().proof();
    }

    /** Enters; the connection serves. */
    private static void enter(FrameLink link, CallerProof proof, Hello.Request hello)
            throws IOException {
        byte[] right = challenged(link, proof, hello);
        ask(link, new Authenticate.Request(right)).orThrow();
    }

    private void enterAndLeave() throws IOException {
        try (WireConnection link = namenode.connect()) {
            enter(link, client(), hello());
            ask(link, new Ping.Request()).orThrow();
        }
    }

    private static void assertEnds(WireConnection link, Answer answer, Class<?> error)
            throws IOException {
        assertThatThrownBy(answer::orThrow).isInstanceOf(error);
        link.endOutput();
        assertThat(link.awaitClosed()).isTrue();
    }

    @Test
    void whoKnowsTheSecretIsServed() throws IOException {
        try (WireConnection link = namenode.connect()) {
            enter(link, client(), hello());
            Message open = new SessionOpen.Request("c", 0, "u", "g", "", 0);
            SessionOpen.Reply session =
                    SessionOpen.Reply.decode(ask(link, open).orThrow().reader());
            try (WireConnection second = namenode.connect()) {
                enter(
                        second,
                        client(),
                        FrameLink.helloOf(Hello.ROLE_CLIENT, session.session(), session.token()));
                ask(second, new Ping.Request()).orThrow();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void nothingIsServedBeforeTheHelloIsComplete(MessageType type) throws IOException {
        byte[] junk = new byte[200];
        try (WireConnection stranger = namenode.connect()) {
            if (type != MessageType.HELLO) {
                assertEnds(stranger, ask(stranger, type, junk), ProtocolException.class);
            }
        }
        try (WireConnection challenged = namenode.connect()) {
            byte[] right = challenged(challenged, client(), hello());
            assertThat(right).hasSize(32);
            if (type != MessageType.AUTHENTICATE) {
                assertEnds(challenged, ask(challenged, type, junk), ProtocolException.class);
            }
        }
        enterAndLeave();
    }

    @Test
    void whoOffersNothingIsToldWhatToDo() throws IOException {
        try (WireConnection link = namenode.connect()) {
            Answer answer = ask(link, hello());
            assertThatThrownBy(answer::orThrow).hasMessageContaining("security.secret-file");
            assertEnds(link, answer, AccessDeniedException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 33, 64})
    void noncesOfAnotherLengthAreRefused(int length) throws IOException {
        try (WireConnection link = namenode.connect()) {
            Hello.Request hello = hello().withNonce(new byte[length]);
            assertEnds(link, ask(link, hello), AccessDeniedException.class);
        }
    }

    @Test
    void aNonceBeyondAnyLimitIsMalformed() throws IOException {
        try (WireConnection link = namenode.connect()) {
            Hello.Request hello = hello().withNonce(new byte[2000]);
            assertEnds(link, ask(link, hello), ProtocolException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 33, 64})
    void proofsOfAnotherLengthAreRefused(int length) throws IOException {
        try (WireConnection link = namenode.connect()) {
            byte[] right = challenged(link, client(), hello());
            Message wrong = new Authenticate.Request(Arrays.copyOf(right, length));
            assertEnds(link, ask(link, wrong), AccessDeniedException.class);
        }
    }

    @Test
    void aProofThatIsCutOffIsMalformed() throws IOException {
        try (WireConnection link = namenode.connect()) {
            byte[] right = challenged(link, client(), hello());
            byte[] control = FrameLink.control(new Authenticate.Request(right));
            byte[] cut = Arrays.copyOf(control, control.length - 1);
            assertEnds(link, ask(link, MessageType.AUTHENTICATE, cut), ProtocolException.class);
        }
    }

    @Test
    void aProofOfAnEarlierConnectionIsRefused() throws IOException {
        CallerProof proof = client();
        Hello.Request sent = proof.offer(hello());
        byte[] earlier;
        try (WireConnection first = namenode.connect()) {
            byte[] challenge = ask(first, sent).orThrow().control();
            earlier = proof.answer(challenge).orElseThrow().proof();
            ask(first, new Authenticate.Request(earlier)).orThrow();
        }
        try (WireConnection second = namenode.connect()) {
            ask(second, sent).orThrow();
            Answer answer = ask(second, new Authenticate.Request(earlier));
            assertEnds(second, answer, AccessDeniedException.class);
        }
    }

    @Test
    void theServersOwnProofIsRefused() throws IOException {
        try (WireConnection link = namenode.connect()) {
            Answer challenge = ask(link, client().offer(hello())).orThrow();
            byte[] shown = Hello.Reply.decode(challenge.reader()).challenge();
            byte[] reflected = Arrays.copyOfRange(shown, 32, 64);
            Answer answer = ask(link, new Authenticate.Request(reflected));
            assertEnds(link, answer, AccessDeniedException.class);
        }
    }

    @Test
    void aChallengeOfAnotherConnectionCannotBeAnsweredHere() throws IOException {
        // Who knows no secret lets the namenode prove to itself, over two connections.
        try (WireConnection first = namenode.connect();
                WireConnection second = namenode.connect()) {
            Hello.Request hello = client().offer(hello());
            byte[] one = Hello.Reply.decode(ask(first, hello).orThrow().reader()).challenge();
            Hello.Request echo = hello().withNonce(Arrays.copyOf(one, 32));
            byte[] two = Hello.Reply.decode(ask(second, echo).orThrow().reader()).challenge();
            Message answer = new Authenticate.Request(Arrays.copyOfRange(two, 32, 64));
            assertEnds(first, ask(first, answer), AccessDeniedException.class);
        }
    }

    @Test
    void aProofForAnotherRoleIsRefused() throws IOException {
        try (WireConnection link = namenode.connect()) {
            // Says that it is a client, proves that it is a storage server.
            CallerProof storage = proof(config.forCaller(), Party.STORAGE_SERVER);
            Hello.Request sent = storage.offer(hello());
            byte[] challenge = ask(link, sent).orThrow().control();
            assertThatThrownBy(() -> storage.answer(challenge))
                    .as("the namenode's proof is for clients")
                    .isInstanceOf(AccessDeniedException.class);
        }
        try (WireConnection link = namenode.connect()) {
            CallerProof client = client();
            Hello.Request storage = FrameLink.helloOf(Hello.ROLE_STORAGE, 0, NO_TOKEN);
            byte[] challenge = ask(link, client.offer(storage)).orThrow().control();
            assertThatThrownBy(() -> client.answer(challenge))
                    .isInstanceOf(AccessDeniedException.class);
            Answer answer = ask(link, new Authenticate.Request(new byte[32]));
            assertEnds(link, answer, AccessDeniedException.class);
        }
    }

    @Test
    void aStorageServerEntersAsSuch() throws IOException {
        try (WireConnection link = namenode.connect()) {
            CallerProof storage = proof(config.forCaller(), Party.STORAGE_SERVER);
            enter(link, storage, FrameLink.helloOf(Hello.ROLE_STORAGE, 0, NO_TOKEN));
            ask(link, new Ping.Request()).orThrow();
        }
    }

    @Test
    void anotherSecretIsRefusedByBothSides() throws IOException {
        AuthenticationConfig other = AuthenticationConfig.required(secret("other"));
        try (WireConnection link = namenode.connect()) {
            CallerProof stranger = proof(other.forCaller(), Party.CLIENT);
            byte[] challenge = ask(link, stranger.offer(hello())).orThrow().control();
            assertThatThrownBy(() -> stranger.answer(challenge))
                    .isInstanceOf(AccessDeniedException.class);
            Answer answer = ask(link, new Authenticate.Request(new byte[32]));
            assertEnds(link, answer, AccessDeniedException.class);
        }
    }

    @Test
    void clusterEpochAndSessionAreLookedAtAfterTheProof() throws IOException {
        Hello.Request p = hello();
        Hello.Request elsewhere = with(new UUID(1, 2), 0, 0);
        Hello.Request later = with(p.cluster(), 99, 0);
        Hello.Request unknown = with(p.cluster(), 0, 4711);
        List<Hello.Request> wrong = List.of(elsewhere, later, unknown);
        List<Class<?>> errors =
                List.of(
                        VersionMismatchException.class,
                        VersionMismatchException.class,
                        SessionExpiredException.class);
        for (int i = 0; i < wrong.size(); i++) {
            try (WireConnection link = namenode.connect()) {
                byte[] right = challenged(link, client(), wrong.get(i));
                assertEnds(link, ask(link, new Authenticate.Request(right)), errors.get(i));
            }
            try (WireConnection stranger = namenode.connect()) {
                assertThat(challenged(stranger, client(), wrong.get(i))).isNotEmpty();
                Answer answer = ask(stranger, new Authenticate.Request(new byte[32]));
                assertEnds(stranger, answer, AccessDeniedException.class);
            }
        }
    }

    private static Hello.Request with(UUID cluster, long epoch, long session) {
        return new Hello.Request(
                ProtocolLimits.HELLO_MAGIC,
                1,
                1,
                Hello.ROLE_CLIENT,
                0,
                0,
                cluster,
                epoch,
                session,
                0,
                NO_TOKEN,
                0,
                "test");
    }

    @Test
    void authenticatingAgainChangesNothing() throws IOException {
        try (WireConnection link = namenode.connect()) {
            byte[] right = challenged(link, client(), hello());
            ask(link, new Authenticate.Request(right)).orThrow();
            Answer again = ask(link, new Authenticate.Request(right));
            assertThatThrownBy(again::orThrow).isInstanceOf(ProtocolException.class);
            ask(link, new Ping.Request()).orThrow();
        }
    }

    @Test
    void withoutASecretAuthenticateIsNoRequest() throws IOException {
        namenode.close();
        config = AuthenticationConfig.DEFAULT;
        namenode = start(RpcOptions.defaults());
        try (WireConnection link = namenode.connect()) {
            assertThat(link.hello(hello().withNonce(new byte[32])).authentication()).isZero();
            Answer answer = ask(link, new Authenticate.Request(new byte[32]));
            assertThatThrownBy(answer::orThrow).isInstanceOf(ProtocolException.class);
            ask(link, new Ping.Request()).orThrow();
        }
    }

    @Test
    void aChallengedCallerThatSaysNothingIsDropped() throws IOException {
        namenode.close();
        Duration soon = Duration.ofMillis(300);
        namenode = start(RpcOptions.defaults().withTimeouts(soon, soon, Duration.ofSeconds(30)));
        // Again when the caller was late itself.
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(
                        () -> {
                            try (WireConnection link = namenode.connect()) {
                                assertThat(challenged(link, client(), hello())).isNotEmpty();
                                assertThat(link.awaitClosed()).isTrue();
                            }
                        });
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(this::enterAndLeave);
    }

    @Test
    void beforeTheHelloIsCompleteOnlySmallFramesAreTaken() throws IOException {
        try (WireConnection link = namenode.connect()) {
            assertThat(challenged(link, client(), hello())).isNotEmpty();
            link.send(
                    FrameLink.frame(
                            new Header(0, MessageType.AUTHENTICATE.wire(), 1, 0, 0),
                            new byte[ProtocolLimits.MAX_HELLO_FRAME],
                            new byte[0]));
            assertThat(link.awaitClosed()).isTrue();
        }
    }

    @Test
    void tenThousandHalfOpenHandshakesDisturbNobody() throws IOException {
        namenode.close();
        namenode = start(RpcOptions.defaults().withMaxConnections(MAX_CONNECTIONS));
        CallerProof flood = client();
        Hello.Request hello = flood.offer(hello());
        List<WireConnection> open = new ArrayList<>();
        try (WireConnection friend = namenode.connect()) {
            enter(friend, client(), hello());
            for (int i = 0; i < 10_000; i++) {
                WireConnection stranger = namenode.connect();
                open.add(stranger);
                if (i % 2 == 0) {
                    stranger.send(
                            FrameLink.frame(
                                    new Header(0, MessageType.HELLO.wire(), 1, 0, 0),
                                    FrameLink.control(hello),
                                    new byte[0]));
                }
                if (open.size() > 2 * MAX_CONNECTIONS) {
                    open.remove(0).close();
                }
                if (i % 100 == 0) {
                    ask(friend, new Ping.Request()).orThrow();
                    enterAndLeave(); // Others still come in: the oldest stranger makes room.
                }
            }
            ask(friend, new Ping.Request()).orThrow();
        } finally {
            for (WireConnection stranger : open) {
                stranger.close();
            }
        }
        enterAndLeave();
    }

    @Test
    void withoutASecretItDoesNotListenWhereOthersCanReachIt() {
        NamenodeConfig.Builder open =
                NamenodeConfig.builder(directory.resolve("other")).bind("0.0.0.0", 0);
        assertThatThrownBy(() -> NamenodeServer.start(open.build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContainingAll("namenode", "0.0.0.0", "crail secret create");
        assertThat(directory.resolve("other")).doesNotExist();
    }
}
