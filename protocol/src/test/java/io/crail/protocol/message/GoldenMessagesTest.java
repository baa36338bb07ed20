// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.golden.GoldenField;
import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.golden.NewerVersion;
import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every message against its golden vector, which any other implementation can check as well. A
 * message without a vector fails here.
 */
class GoldenMessagesTest {
    /** Fields that stand for others on the wire and are no components of a record. */
    private static final Set<String> FRAMING =
            Set.of("list", "records", "record", "zero3", "zero6", "zero7");

    /** Components that have one value only so far. */
    private static final Set<String> FIXED = Set.of("layout", "references");

    static Stream<MessageCodec> codecs() {
        return MessageCodec.all().stream();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void vectorStatesTypeAndPart(MessageCodec codec) {
        GoldenVector vector = codec.golden();
        assertThat(vector.property("message")).isEqualTo(codec.type().name());
        assertThat(vector.property("type")).isEqualTo(codec.type().wire() + "");
        assertThat(vector.property("part")).isEqualTo(codec.part());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void vectorDecodesToTheValuesItStates(MessageCodec codec) throws ProtocolException {
        GoldenVector vector = codec.golden();
        Message message = codec.decode(vector.bytes());
        assertThat(message.type()).isEqualTo(codec.type());
        for (GoldenField field : vector.fields()) {
            String last = field.name().substring(field.name().lastIndexOf('.') + 1);
            if (!FRAMING.contains(field.type()) && !FIXED.contains(last)) {
                assertThat(RecordPath.wire(field.type(), RecordPath.value(message, field.name())))
                        .as("%s of %s", field.name(), vector.name())
                        .isEqualTo(field.bytes());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void everyComponentIsInTheVector(MessageCodec codec) {
        List<String> names = codec.golden().fields().stream().map(GoldenField::name).toList();
        for (var component : codec.record().getRecordComponents()) {
            assertThat(names)
                    .anyMatch(
                            name ->
                                    name.equals(component.getName())
                                            || name.startsWith(component.getName() + "."));
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void encodingGivesTheVector(MessageCodec codec) throws ProtocolException {
        byte[] expected = codec.golden().bytes();
        byte[] encoded = MessageCodec.encode(codec.decode(expected));
        assertThat(HexFormat.of().formatHex(encoded)).isEqualTo(HexFormat.of().formatHex(expected));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void whatANewerVersionAppendsIsIgnored(MessageCodec codec) throws ProtocolException {
        GoldenVector vector = codec.golden();
        byte[] newer = NewerVersion.of(vector);
        assertThat(newer.length).isGreaterThan(vector.bytes().length);
        assertThat(MessageCodec.encode(codec.decode(newer))).isEqualTo(vector.bytes());
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void truncatedVectorIsRefused(MessageCodec codec) throws ProtocolException {
        byte[] bytes = codec.golden().bytes();
        for (int length = 0; length < bytes.length; length++) {
            if (codec.olderLengths(bytes).contains(length)) {
                continue;
            }
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> codec.decode(cut))
                    .as("%s cut to %s bytes", codec, length)
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void whatAnOlderVersionDoesNotSayHasItsOldMeaning() throws ProtocolException {
        byte[] get = GoldenVector.load("messages/get-reply.txt").bytes();
        Get.Reply value =
                Get.Reply.decode(new WireReader(Arrays.copyOf(get, get.length - Long.BYTES)));
        assertThat(value.remainingMillis()).isEqualTo(-1);

        byte[] sums = GoldenVector.load("messages/summary-reply.txt").bytes();
        Summary.Reply summary =
                Summary.Reply.decode(new WireReader(Arrays.copyOf(sums, 6 * Long.BYTES)));
        assertThat(summary.nodeLimit()).isEqualTo(SetQuota.NO_LIMIT);
        assertThat(summary.classes()).isEmpty();

        byte[] lookup = GoldenVector.load("older/lookup-request-1.txt").bytes();
        assertThat(Lookup.Request.decode(new WireReader(lookup)).node()).isZero();
        byte[] open = GoldenVector.load("older/open-request-1.txt").bytes();
        assertThat(Open.Request.decode(new WireReader(open)).node()).isZero();

        byte[] list = GoldenVector.load("older/list-request-1.txt").bytes();
        assertThat(ListEntries.Request.decode(new WireReader(list)).flags()).isZero();
        byte[] listed = GoldenVector.load("older/list-reply-1.txt").bytes();
        assertThat(ListEntries.Reply.decode(new WireReader(listed)).entries())
                .hasSize(2)
                .allMatch(entry -> entry.places().isEmpty());

        byte[] put = GoldenVector.load("older/put-request-1.txt").bytes();
        Put.Request asked = Put.Request.decode(new WireReader(put));
        assertThat(asked.nextBytes()).isZero();
        assertThat(asked.excludedServers()).isEmpty();
        byte[] done = GoldenVector.load("older/put-reply-1.txt").bytes();
        assertThat(Put.Reply.decode(new WireReader(done)).grants()).isEmpty();

        byte[] registration = GoldenVector.load("older/register-server-request-1.txt").bytes();
        assertThat(RegisterServer.Request.decode(new WireReader(registration)).statusUrl())
                .isEmpty();
        byte[] served = GoldenVector.load("older/register-server-request-2.txt").bytes();
        assertThat(RegisterServer.Request.decode(new WireReader(served)).smallestBlock())
                .isEqualTo(4096);
        byte[] welcome = GoldenVector.load("older/register-server-reply-1.txt").bytes();
        assertThat(RegisterServer.Reply.decode(new WireReader(welcome)).smallestBlock())
                .isEqualTo(4096);
        byte[] counters = GoldenVector.load("older/statistics-reply-1.txt").bytes();
        Statistics.Reply statistics = Statistics.Reply.decode(new WireReader(counters));
        assertThat(statistics.cluster()).isEqualTo(new UUID(0, 0));
        assertThat(statistics.software()).isEmpty();
        assertThat(statistics.servers().get(1).silentMillis()).isEqualTo(250);
        assertThat(statistics.servers().get(1).committed()).isZero();
        assertThat(statistics.servers().get(1).statusUrl()).isEmpty();

        byte[] whole = GoldenVector.load("older/statistics-reply-2.txt").bytes();
        assertThat(Statistics.Reply.decode(new WireReader(whole)).nextServer()).isZero();
        byte[] question = GoldenVector.load("older/server-table-request-1.txt").bytes();
        assertThat(ServerTable.Request.decode(new WireReader(question)).fromServer()).isZero();
        byte[] table = GoldenVector.load("older/server-table-reply-1.txt").bytes();
        assertThat(ServerTable.Reply.decode(new WireReader(table)).nextServer()).isZero();
        assertThat(Statistics.Request.decode(new WireReader(new byte[0])).fromServer()).isZero();

        WireWriter entry = new WireWriter(64, 1024).bool(false).u16(1);
        int mark = entry.beginRecord();
        entry.bytes(new byte[] {1}).i64(2).i64(3).i64(4).bool(false).bytes(new byte[0]);
        entry.endRecord(mark);
        Scan.Reply page = Scan.Reply.decode(new WireReader(entry.buffer().flip()));
        assertThat(page.entries().get(0).remainingMillis()).isEqualTo(-1);
    }

    @Test
    void helloOfACallerThatKnowsNoAuthenticationOffersNone() throws ProtocolException {
        GoldenVector older = GoldenVector.load("older/hello-request-1.txt");
        Hello.Request hello = Hello.Request.decode(new WireReader(older.bytes()));
        assertThat(hello.authentication()).isEqualTo(Hello.AUTHENTICATION_NONE);
        assertThat(hello.nonce()).isEmpty();
        assertThat(hello.name()).isEqualTo("crail-client/1234@node1");
        assertThat(Arrays.copyOf(MessageCodec.encode(hello), older.bytes().length))
                .as("what an older server sees of a new hello without authentication")
                .isEqualTo(older.bytes());
    }

    @Test
    void answerWithoutAuthenticationIsAsItWas() throws ProtocolException {
        GoldenVector older = GoldenVector.load("older/hello-reply-1.txt");
        Hello.Reply reply = Hello.Reply.decode(new WireReader(older.bytes()));
        assertThat(reply.authentication()).isEqualTo(Hello.AUTHENTICATION_NONE);
        assertThat(reply.challenge()).isEmpty();
        assertThat(reply.local()).isEqualTo(LocalEndpoint.NONE);
        assertThat(Arrays.copyOf(MessageCodec.encode(reply), older.bytes().length))
                .as("what an older caller sees of a new answer without authentication")
                .isEqualTo(older.bytes());
    }

    @Test
    void answerOfANamenodeWithoutUnixSocketNamesNone() throws ProtocolException {
        GoldenVector older = GoldenVector.load("older/hello-reply-2.txt");
        Hello.Reply reply = Hello.Reply.decode(new WireReader(older.bytes()));
        assertThat(reply.local()).isEqualTo(LocalEndpoint.NONE);
        assertThat(reply.challenge()).hasSize(64);
        byte[] encoded = MessageCodec.encode(reply);
        assertThat(Arrays.copyOf(encoded, older.bytes().length)).isEqualTo(older.bytes());
        assertThat(Hello.Reply.challengeEnd(encoded)).isEqualTo(older.bytes().length);
    }

    @Test
    void noVectorIsLeftOver() throws IOException {
        List<String> expected =
                codecs().map(codec -> Path.of(codec.goldenFile()).getFileName() + "").toList();
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/golden/messages"))) {
            assertThat(files.map(file -> file.getFileName() + ""))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
