// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both sides of the proof, against independent vectors and against each other. */
class ProofTest {
    private static final UUID CLUSTER = UUID.fromString("7d444840-9dc0-11d1-b245-5ffdce74fad2");

    private final Credentials ours = credentials(1);
    private final Gatekeeper namenode = new Gatekeeper(ours, Party.NAMENODE);
    private final CallerProof client = caller(ours);

    private static Secret secret(int seed) {
        byte[] bytes = new byte[Secret.MIN_BYTES];
        Arrays.fill(bytes, (byte) seed);
        return new Secret(bytes);
    }

    private static Credentials credentials(int seed) {
        return Credentials.of(secret(seed), "/etc/secret", new SecureRandom());
    }

    private static CallerProof caller(Credentials credentials) {
        return new CallerProof(credentials, Party.CLIENT, Party.NAMENODE, "nn:9060");
    }

    private static Hello.Request hello(int role) {
        return new Hello.Request(
                1, 1, 1, role, 0, 5, CLUSTER, 8, 77, 0, new byte[16], 0, "a client");
    }

    private static Hello.Reply reply() {
        LocalEndpoint local = new LocalEndpoint("/run/crail/local", new byte[32]);
        return new Hello.Reply(
                1, 0, 5, CLUSTER, 9, 4096, 1024, 4096, 1024, "test", new byte[0], local);
    }

    private static Gatekeeper.Challenge challenge(Gatekeeper gate, Hello.Request hello)
            throws CrailException {
        byte[] control = Transcript.encode(hello);
        return gate.challenge(control, Hello.Request.decode(new WireReader(control)), reply());
    }

    private static Map<String, String> vectors() {
        Map<String, String> vectors = new HashMap<>();
        for (String line : GoldenVector.lines("authentication/proofs.txt")) {
            String[] words = line.split(" = ", -1);
            vectors.put(words[0], words[1]);
        }
        return vectors;
    }

    @Test
    void proofsAreThoseOfAnotherImplementation() throws ProtocolException {
        Map<String, String> vectors = vectors();
        byte[] request = GoldenVector.load("messages/hello-request.txt").bytes();
        byte[] reply = GoldenVector.load("messages/hello-reply.txt").bytes();
        Secret secret = new Secret(HexFormat.of().parseHex(vectors.remove("secret")));
        Transcript transcript = new Transcript(request, reply);
        assertThat(vectors).hasSize(6);
        for (Map.Entry<String, String> vector : vectors.entrySet()) {
            String[] parties = vector.getKey().split(" > ", -1);
            byte[] proof = transcript.proof(secret, party(parties[0]), party(parties[1]));
            assertThat(HexFormat.of().formatHex(proof))
                    .as(vector.getKey())
                    .isEqualTo(vector.getValue());
        }
        assertThat(Arrays.copyOf(reply, Hello.Reply.challengeEnd(reply)))
                .as("the golden reply holds the server's proof")
                .endsWith(HexFormat.of().parseHex(vectors.getOrDefault("namenode > client", "")));
        assertThat(GoldenVector.load("messages/authenticate-request.txt").bytes())
                .endsWith(HexFormat.of().parseHex(vectors.getOrDefault("client > namenode", "")));
    }

    private static Party party(String text) {
        return Arrays.stream(Party.values())
                .filter(party -> party.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void bothSidesAgreeWhenTheyShareTheSecret() throws CrailException {
        Gatekeeper.Challenge challenge = challenge(namenode, client.offer(hello(1)));
        Authenticate.Request answer =
                client.answer(Transcript.encode(challenge.reply())).orElseThrow();
        assertThatCode(() -> challenge.check(answer)).doesNotThrowAnyException();
    }

    @Test
    void aReplyWithFieldsOfALaterVersionIsProvedWithThem() throws CrailException {
        Hello.Request hello = client.offer(hello(1));
        byte[] unproved =
                Transcript.encode(reply().withChallenge(new byte[Transcript.CHALLENGE_BYTES]));
        byte[] longer = Arrays.copyOf(unproved, unproved.length + 5);
        longer[longer.length - 1] = 1;
        byte[] proof =
                new Transcript(Transcript.encode(hello), longer)
                        .proof(secret(1), Party.NAMENODE, Party.CLIENT);
        int end = Hello.Reply.challengeEnd(unproved);
        System.arraycopy(proof, 0, longer, end - proof.length, proof.length);
        assertThat(client.answer(longer)).isPresent();
        longer[longer.length - 1] = 2;
        assertThatThrownBy(() -> client.answer(longer)).isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void anotherSecretIsNoticedByTheCallerFirst() throws CrailException {
        CallerProof stranger = caller(credentials(2));
        Gatekeeper.Challenge challenge = challenge(namenode, stranger.offer(hello(1)));
        assertThatThrownBy(() -> stranger.answer(Transcript.encode(challenge.reply())))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContainingAll("namenode nn:9060", "security.secret-file", "/etc/secret");
    }

    @Test
    void noBitOfEitherHelloCanBeChangedOnTheWay() throws CrailException {
        Hello.Request hello = client.offer(hello(1));
        byte[] request = Transcript.encode(hello);
        byte[] reply = Transcript.encode(challenge(namenode, hello).reply());
        for (int at = 0; at < reply.length; at++) {
            byte[] changed = reply.clone();
            changed[at] ^= 0x10;
            assertThatThrownBy(() -> client.answer(changed))
                    .as("byte %s of the reply", at)
                    .isInstanceOf(CrailException.class);
        }
        for (int at = 0; at < request.length; at++) {
            byte[] changed = request.clone();
            changed[at] ^= 0x10;
            byte[] answer;
            try {
                Hello.Request seen = Hello.Request.decode(new WireReader(changed));
                answer = Transcript.encode(namenode.challenge(changed, seen, reply()).reply());
            } catch (CrailException e) {
                continue; // Refused by the server: as good.
            }
            assertThatThrownBy(() -> client.answer(answer))
                    .as("byte %s of the request", at)
                    .isInstanceOf(AccessDeniedException.class);
        }
    }

    @Test
    void aServersProofIsNoProofOfACaller() throws CrailException {
        Gatekeeper.Challenge challenge = challenge(namenode, client.offer(hello(1)));
        byte[] shown = challenge.reply().challenge();
        byte[] proof = Arrays.copyOfRange(shown, Transcript.NONCE_BYTES, shown.length);
        assertRefused(challenge, proof);
    }

    @Test
    void aProofOfAnEarlierConnectionIsWorthNothing() throws CrailException {
        Hello.Request hello = client.offer(hello(1));
        Gatekeeper.Challenge first = challenge(namenode, hello);
        byte[] proof = client.answer(Transcript.encode(first.reply())).orElseThrow().proof();
        assertRefused(challenge(namenode, hello), proof);
    }

    @Test
    void aStorageServersAnswerDoesNotPassForANamenodes() throws CrailException {
        Gatekeeper storage = new Gatekeeper(ours, Party.STORAGE_SERVER);
        Gatekeeper.Challenge challenge = challenge(storage, client.offer(hello(1)));
        assertThatThrownBy(() -> client.answer(Transcript.encode(challenge.reply())))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void proofsOfAllPairsOfPartiesDiffer() throws ProtocolException {
        Transcript transcript =
                new Transcript(
                        new byte[10], Transcript.encode(reply().withChallenge(new byte[64])));
        Set<String> proofs = new HashSet<>();
        for (Party prover : Party.values()) {
            for (Party verifier : Party.values()) {
                proofs.add(HexFormat.of().formatHex(transcript.proof(secret(1), prover, verifier)));
            }
        }
        assertThat(proofs).hasSize(9);
    }

    @ParameterizedTest
    @CsvSource({"0, 32", "1, 0", "1, 31", "1, 33", "1, 64", "2, 32", "255, 32"})
    void aHelloThatOffersNothingUsefulIsToldWhatToDo(int authentication, int nonce) {
        Hello.Request plain = hello(1);
        Hello.Request offered =
                new Hello.Request(
                        plain.magic(),
                        1,
                        1,
                        1,
                        authentication,
                        0,
                        CLUSTER,
                        0,
                        0,
                        0,
                        new byte[16],
                        0,
                        "x",
                        new byte[nonce]);
        assertThatThrownBy(() -> challenge(namenode, offered))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("set security.secret-file");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "31", "33", "64"})
    void aProofOfAnotherLengthIsRefused(int length) throws CrailException {
        Gatekeeper.Challenge challenge = challenge(namenode, client.offer(hello(1)));
        byte[] right = client.answer(Transcript.encode(challenge.reply())).orElseThrow().proof();
        assertRefused(challenge, Arrays.copyOf(right, length));
    }

    private static void assertRefused(Gatekeeper.Challenge challenge, byte[] proof) {
        assertThatThrownBy(() -> challenge.check(new Authenticate.Request(proof)))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void aCallerWithASecretIsNotTalkedOutOfIt() {
        client.offer(hello(1));
        assertThatThrownBy(() -> client.answer(Transcript.encode(reply())))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContainingAll("namenode nn:9060", "security.authentication");
    }

    @Test
    void aChallengeOfAnotherLengthIsMalformed() {
        client.offer(hello(1));
        for (int length : new int[] {0, 31, 32, 63}) {
            byte[] reply = Transcript.encode(reply().withChallenge(new byte[length]));
            assertThatThrownBy(() -> client.answer(reply)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void aCallerWithoutSecretSaysWhatItAlwaysSaid() throws CrailException {
        CallerProof plain = caller(Credentials.NONE);
        assertThat(plain.offer(hello(1)).nonce()).isEmpty();
        assertThat(plain.answer(Transcript.encode(reply()))).isEmpty();
        byte[] challenged = Transcript.encode(reply().withChallenge(new byte[64]));
        assertThatThrownBy(() -> plain.answer(challenged)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void noncesDoNotRepeat() throws CrailException {
        Set<String> nonces = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Hello.Request hello = caller(ours).offer(hello(1));
            nonces.add(HexFormat.of().formatHex(hello.nonce()));
            nonces.add(
                    HexFormat.of()
                            .formatHex(challenge(namenode, hello).reply().challenge(), 0, 32));
        }
        assertThat(nonces).hasSize(200);
    }

    @Test
    void nothingPrintsASecret() throws CrailException {
        Hello.Request hello = client.offer(hello(1));
        assertThat(new Secret(new byte[32])).hasToString("(secret)");
        assertThat(ours).hasToString("security.secret-file (/etc/secret)");
        assertThat(hello.toString()).doesNotContain("[B").contains("a client");
    }
}
