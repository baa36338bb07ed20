// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.hello;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.authentication.Secret;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What is said to a server before it has proved itself, and whom the client believes. */
class GreetingTest {
    private static final UUID CLUSTER = new UUID(1, 2);

    private final Credentials ours = credentials(1);
    private final AtomicLong ids = new AtomicLong();
    private final RecordingChannel channel = new RecordingChannel();
    private final RecordingOutcome outcome = new RecordingOutcome();

    private static Credentials credentials(int seed) {
        byte[] bytes = new byte[Secret.MIN_BYTES];
        Arrays.fill(bytes, (byte) seed);
        return Credentials.of(new Secret(bytes), "/etc/secret", new SecureRandom());
    }

    private void say(Credentials credentials) {
        Hello.Request hello =
                new Hello.Request(
                        ProtocolLimits.HELLO_MAGIC,
                        1,
                        1,
                        Hello.ROLE_CLIENT,
                        0,
                        0,
                        CLUSTER,
                        0,
                        0,
                        0,
                        new byte[16],
                        0,
                        "test");
        Greeting.say(
                channel, credentials, Party.NAMENODE, hello, ids::incrementAndGet, 1000, outcome);
    }

    private static Hello.Reply plainReply() {
        return new Hello.Reply(1, 0, 0, CLUSTER, 3, 4096, 10, 10, 10, "test", new byte[0]);
    }

    private Gatekeeper.Challenge challengeBy(Credentials credentials) throws CrailException {
        byte[] control = channel.last().control();
        return new Gatekeeper(credentials, Party.NAMENODE)
                .challenge(control, Hello.Request.decode(new WireReader(control)), plainReply());
    }

    private static byte[] encode(Message message) {
        WireWriter writer = new WireWriter(256, 4096);
        message.encode(writer);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    private static byte[] text(String message) {
        WireWriter writer = new WireWriter(64, 4096).string(message);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    @Test
    void withoutASecretItTakesOneRoundTrip() {
        say(Credentials.NONE);
        channel.last().answered(0, 3, encode(plainReply()));
        assertThat(channel.types()).containsExactly(MessageType.HELLO);
        assertThat(outcome.greeted).isOne();
    }

    @Test
    void withASecretItTakesOneMore() throws CrailException {
        say(ours);
        Gatekeeper.Challenge challenge = challengeBy(ours);
        channel.last().answered(0, 3, encode(challenge.reply()));
        assertThat(channel.types()).containsExactly(MessageType.HELLO, MessageType.AUTHENTICATE);
        assertThat(outcome.greeted).as("before the server has agreed").isZero();
        challenge.check(Authenticate.Request.decode(new WireReader(channel.last().control())));
        channel.last().answered(0, 3, encode(new Authenticate.Reply()));
        assertThat(channel.exchanges).hasSize(2);
        assertThat(outcome.greeted).isOne();
    }

    @Test
    void aServerWithAnotherSecretHearsNothingMore() throws CrailException {
        say(ours);
        channel.last().answered(0, 3, encode(challengeBy(credentials(2)).reply()));
        assertThat(channel.types()).containsExactly(MessageType.HELLO);
        outcome.assertRefused(ErrorCode.ACCESS_DENIED, false);
    }

    @Test
    void aServerThatAsksForNothingHearsNothingMore() {
        say(ours);
        channel.last().answered(0, 3, encode(plainReply()));
        assertThat(channel.types()).containsExactly(MessageType.HELLO);
        outcome.assertRefused(ErrorCode.ACCESS_DENIED, false);
    }

    @Test
    void anErrorBeforeTheProofMayBeAnybodys() {
        say(ours);
        channel.last().answered(ErrorCode.SESSION_EXPIRED.wire(), 3, text("gone"));
        outcome.assertRefused(ErrorCode.SESSION_EXPIRED, false);
    }

    @Test
    void anErrorAfterTheProofIsTheServers() throws CrailException {
        say(ours);
        channel.last().answered(0, 3, encode(challengeBy(ours).reply()));
        channel.last().answered(ErrorCode.SESSION_EXPIRED.wire(), 3, text("gone"));
        outcome.assertRefused(ErrorCode.SESSION_EXPIRED, true);
    }

    @Test
    void whereNoProofIsDueErrorsAreBelieved() {
        say(Credentials.NONE);
        channel.last().answered(ErrorCode.SESSION_EXPIRED.wire(), 3, text("gone"));
        outcome.assertRefused(ErrorCode.SESSION_EXPIRED, true);
    }

    @Test
    void malformedAnswersAreRefused() {
        say(ours);
        channel.last().answered(0, 3, new byte[5]);
        outcome.assertRefused(ErrorCode.PROTOCOL, false);
    }

    private static final class RecordingOutcome implements Greeting.Outcome {
        private int greeted;
        private final List<CrailException> refusals = new ArrayList<>();
        private boolean believable;

        @Override
        public void greeted(Hello.Reply reply) {
            greeted++;
        }

        @Override
        public void refused(CrailException cause, boolean isBelievable) {
            refusals.add(cause);
            believable = isBelievable;
        }

        void assertRefused(ErrorCode code, boolean isBelievable) {
            assertThat(greeted).isZero();
            assertThat(refusals).hasSize(1);
            assertThat(refusals.get(0).code()).isEqualTo(code);
            assertThat(believable).isEqualTo(isBelievable);
        }
    }

    private static final class RecordingChannel implements RpcChannel {
        private final List<Exchange> exchanges = new ArrayList<>();

        Exchange last() {
            return exchanges.get(exchanges.size() - 1);
        }

        List<MessageType> types() {
            List<MessageType> types = new ArrayList<>();
            for (Exchange exchange : exchanges) {
                MessageType type = MessageType.ofWire(exchange.type());
                assertThat(type).isNotNull();
                if (type != null) {
                    types.add(type);
                }
            }
            return types;
        }

        @Override
        public void send(Exchange exchange) {
            exchanges.add(exchange);
        }

        @Override
        public Withdrawn withdraw(Exchange exchange) {
            return Withdrawn.UNSENT;
        }

        @Override
        public void close(CrailException cause) {
            throw new AssertionError("the greeting closes nothing", cause);
        }

        @Override
        public String peer() {
            return "nn:9060";
        }
    }
}
