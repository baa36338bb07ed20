// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ProtocolException;
import io.crail.error.SessionExpiredException;
import io.crail.error.VersionMismatchException;
import io.crail.namenode.FrameLink.Header;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.SessionOpen;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hellos, sessions, and what ends with them. */
final class SessionTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(8);
        session = namenode.session("tester");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    // Hellos.

    private static Hello.Request hello(
            int minVersion, int role, UUID cluster, long lowestEpoch, long magic) {
        return new Hello.Request(
                magic,
                minVersion,
                minVersion,
                role,
                0,
                0,
                cluster,
                lowestEpoch,
                0,
                0,
                new byte[16],
                0,
                "test");
    }

    private void refused(Hello.Request hello, Class<? extends Exception> error) throws IOException {
        try (WireConnection connection = namenode.connect()) {
            assertThatThrownBy(() -> connection.hello(hello)).isInstanceOf(error);
            connection.endOutput();
            assertThat(connection.awaitClosed()).isTrue();
        }
    }

    @Test
    void aHelloMustFit() throws IOException {
        UUID any = new UUID(0, 0);
        long magic = ProtocolLimits.HELLO_MAGIC;
        refused(hello(1, Hello.ROLE_CLIENT, any, 0, 5), ProtocolException.class);
        refused(hello(9, Hello.ROLE_CLIENT, any, 0, magic), VersionMismatchException.class);
        refused(hello(1, 77, any, 0, magic), ProtocolException.class);
        refused(
                hello(1, Hello.ROLE_CLIENT, new UUID(1, 2), 0, magic),
                VersionMismatchException.class);
        refused(hello(1, Hello.ROLE_CLIENT, any, 99, magic), VersionMismatchException.class);
        try (WireConnection good = namenode.connect()) {
            Hello.Reply reply =
                    good.hello(hello(1, Hello.ROLE_CLIENT, namenode.server().cluster(), 1, magic));
            assertThat(reply.epoch()).isEqualTo(1);
            assertThat(reply.cluster()).isEqualTo(namenode.server().cluster());
            assertThat(reply.maxFrame()).isEqualTo(ProtocolLimits.MAX_FRAME);
            assertThat(reply.inlineLimit()).isEqualTo(1024);
        }
    }

    @Test
    void theFirstRequestIsAHello() throws IOException {
        try (WireConnection connection = namenode.connect()) {
            Message lookup = new Lookup.Request(TestSession.bytes("/"), 0);
            connection.send(
                    FrameLink.frame(
                            new Header(0, lookup.type().wire(), 1, 0, 0),
                            FrameLink.control(lookup),
                            TestSession.NOTHING));
            assertThatThrownBy(() -> connection.receive().orThrow())
                    .isInstanceOf(ProtocolException.class);
        }
    }

    // Joining.

    @Test
    void aSessionIsJoinedWithItsTokenOnly() throws IOException {
        session.mkdir("/a");
        session.wire().join();
        assertThat(session.lookup("/a").type()).isEqualTo(NodeType.DIRECTORY);
        session.wire().use(0);
        session.mkdir("/b");
        long id = session.wire().session();
        refused(
                FrameLink.helloOf(Hello.ROLE_CLIENT, id, new byte[16]),
                AccessDeniedException.class);
        refused(
                FrameLink.helloOf(Hello.ROLE_CLIENT, id + 1, session.wire().identity().token()),
                SessionExpiredException.class);
    }

    @Test
    void aRequestMustNameTheSessionOfItsConnection() throws IOException {
        try (TestSession other = namenode.session("other")) {
            Message lookup = new Lookup.Request(TestSession.bytes("/"), 0);
            byte[] frame = other.wire().frame(1, lookup, TestSession.NOTHING);
            session.wire().connection().send(frame);
            assertThatThrownBy(() -> session.wire().connection().receive().orThrow())
                    .isInstanceOf(ProtocolException.class);
            assertThat(session.lookup("/").type()).isEqualTo(NodeType.DIRECTORY);
        }
    }

    @Test
    void aConnectionHasOneSession() {
        assertThatThrownBy(
                        () ->
                                session.wire()
                                        .call(
                                                new SessionOpen.Request("x", 0, "x", "x", "", 0),
                                                SessionOpen.Reply::decode))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void timeoutsAreWithinBounds() throws IOException {
        for (int[] asked : new int[][] {{1, 1000}, {5000, 5000}, {Integer.MAX_VALUE, 86_400_000}}) {
            try (WireClient client =
                    WireClient.open(
                            namenode::connect,
                            new SessionOpen.Request("x", 0, "x", "x", "", asked[0]))) {
                assertThat(client.identity().timeoutMillis()).isEqualTo(asked[1]);
                assertThat(client.identity().keepAliveMillis()).isBetween(1, asked[1] / 2);
            }
        }
    }

    // Requests that make no sense.

    @Test
    void unknownTypesAndWrongFlagsAreAnsweredAndTheConnectionStays() throws IOException {
        FrameLink connection = session.wire().connection();
        Header[] wrong = {
            new Header(0, 31, 1, session.wire().session(), 0),
            new Header(0, 200, 1, session.wire().session(), 0),
            new Header(0, 33, 1, session.wire().session(), 0),
            new Header(FrameHeader.FLAG_MUTATION, 32, 1, session.wire().session(), 0),
            new Header(0, 1, 1, session.wire().session(), 0),
            new Header(0, 96, 1, session.wire().session(), 0),
            new Header(0, 128, 1, session.wire().session(), 0)
        };
        for (Header header : wrong) {
            connection.send(FrameLink.frame(header, TestSession.NOTHING, TestSession.NOTHING));
            assertThatThrownBy(() -> connection.receive().orThrow())
                    .as(header.toString())
                    .isInstanceOf(ProtocolException.class);
        }
        assertThat(session.lookup("/").type()).isEqualTo(NodeType.DIRECTORY);
    }

    // Ending.

    /** Holds everything a session can hold: two leases, a read handle, value grants. */
    private void holdMuch(TestSession holder) throws IOException {
        session.mkdir("/held");
        session.table("/held/t");
        session.file("/held/read", 4096);
        holder.write("/held/new", 4096);
        var half = holder.write("/held/half", 8192);
        holder.commit(
                half.status().id(),
                half.handle(),
                0,
                false,
                TestRequests.fill(half.grants(), 4096));
        holder.grant(half.status().id(), half.handle(), 4096);
        holder.grantValue("/held/t", 4096);
        holder.open("/held/read", Open.READ, 0);
        session.delete("/held/read", false);
    }

    private void checkReleased() throws IOException {
        assertThat(session.lookup("/held/new").has(NodeStatus.OPEN_FOR_WRITING)).isFalse();
        assertThat(session.lookup("/held/half").length()).isEqualTo(4096);
        session.delete("/held", true);
        namenode.settle();
        storage.fenceAll();
        var bytes = session.statistics().classes().get(0);
        assertThat(bytes.free()).isEqualTo(bytes.capacity());
        assertThat(session.statistics().sessions()).isEqualTo(1);
    }

    @Test
    void closingASessionReleasesAllThatItHeld() throws IOException {
        try (TestSession holder = namenode.session("holder")) {
            holdMuch(holder);
            holder.endSession();
            assertThatThrownBy(() -> holder.lookup("/")).isInstanceOf(ProtocolException.class);
            checkReleased();
        }
    }

    @Test
    void aSilentSessionEndsAfterItsTimeoutAndNotBefore() throws IOException {
        try (TestSession holder = namenode.session("holder")) {
            holdMuch(holder);
            for (int i = 0; i < 59; i++) {
                namenode.advance(Duration.ofSeconds(1));
                session.keepAlive(new long[0], List.of());
                storage.heartbeat();
            }
            assertThat(session.statistics().sessions()).isEqualTo(2);
            namenode.advance(Duration.ofSeconds(2));
            assertThatThrownBy(() -> holder.lookup("/"))
                    .isInstanceOf(SessionExpiredException.class);
            assertThatThrownBy(() -> holder.wire().join())
                    .isInstanceOf(SessionExpiredException.class);
            checkReleased();
        }
    }

    @Test
    void aSessionSurvivesARestartAndGetsAFullPeriod() throws IOException {
        try (TestSession holder = namenode.session("holder")) {
            holdMuch(holder);
            namenode.advance(Duration.ofSeconds(20));
            namenode.restart();
            storage.register(namenode::connect);
            namenode.advance(Duration.ofSeconds(20));
            storage.heartbeat();
            namenode.advance(Duration.ofSeconds(25));
            storage.heartbeat();
            session.wire().reconnect(namenode::connect);
            holder.wire().reconnect(namenode::connect);
            assertThat(holder.lookup("/held/half").has(NodeStatus.OPEN_FOR_WRITING)).isTrue();
            holder.endSession();
            checkReleased();
        }
    }

    @Test
    void aPauseOfTheNamenodeEndsNoSession() throws IOException {
        namenode.pause(Duration.ofHours(2));
        assertThat(session.lookup("/").type()).isEqualTo(NodeType.DIRECTORY);
    }

    @Test
    void aSessionThatIsGoneStaysGoneAfterARestart() throws IOException {
        try (TestSession holder = namenode.session("holder")) {
            holder.mkdir("/d");
            holder.endSession();
            namenode.restart();
            assertThatThrownBy(() -> holder.wire().reconnect(namenode::connect))
                    .isInstanceOf(SessionExpiredException.class);
            session.wire().reconnect(namenode::connect);
            assertThat(session.list("/")).containsExactly("d");
            assertThatThrownBy(() -> session.lookup("/x")).isInstanceOf(NoSuchNodeException.class);
        }
    }
}
