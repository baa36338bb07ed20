// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Attach;
import io.crail.protocol.message.Detach;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.segment.Segment;
import io.crail.storage.session.Sessions;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Unix socket, and what only its peers may do. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Each test starts what it needs.
class LocalAccessTest {
    private static final byte[] KEY = new byte[16];
    private static final Grants GRANTS = new Grants(KEY, 7, 99);
    private static final String NAME = "session-63-1";
    private static final byte[] NOTHING = {};

    @TempDir Path directory;
    private Segment segment;
    private Sessions sessions;
    private TcpDataService service;

    private Path start(String transport, Path socket) throws IOException {
        segment = TestSegments.create(directory, 0, 1 << 20);
        sessions = Sessions.open(directory);
        Blocks blocks = new Blocks();
        blocks.add(new BlockTable(segment, sessions));
        service =
                new TcpDataService(
                        blocks,
                        ServiceLimits.DEFAULT,
                        "127.0.0.1",
                        0,
                        new LoopOptions(transport, 1, true),
                        new LocalAccess(socket, directory, TestSegments.SERVER, sessions, () -> {}),
                        new Gatekeeper(Credentials.NONE, Party.STORAGE_SERVER));
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 5));
        return socket;
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
            sessions.close();
        }
    }

    private static RawClient client(Path socket) throws IOException {
        RawClient client = new RawClient(socket);
        client.hello(GRANTS.session(), GRANTS.ticket()).success();
        return client;
    }

    private TestSession session() throws IOException {
        return new TestSession(directory, NAME, GRANTS.session(), TestSegments.CLUSTER, 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll"})
    void aClientOfThisHostAttachesReadsWritesAndDetaches(String transport) throws IOException {
        Path socket = start(transport, directory.resolve("data.sock"));
        byte[] data = new byte[100_000];
        new Random(3).nextBytes(data);
        try (RawClient client = client(socket);
                TestSession session = session()) {
            Attach.Reply reply =
                    Attach.Reply.decode(
                            new WireReader(
                                    client.call(new Attach.Request(NAME), NOTHING)
                                            .success()
                                            .control()));
            assertThat(reply.server()).isEqualTo(TestSegments.SERVER);
            assertThat(Path.of(reply.directory())).isEqualTo(directory);
            assertThat(sessions.sessions()).isEqualTo(1);
            BlockReference block = GRANTS.block(0, 0, 128 << 10, segment.incarnation());
            client.write(block, 0, data).success();
            assertThat(client.read(block, 0, data.length, 0).success().payload()).isEqualTo(data);
            client.call(new Detach.Request(), NOTHING).success();
            assertThat(session.path()).doesNotExist();
        }
    }

    @Test
    void overTcpNobodyAttaches() throws IOException {
        start("auto", directory.resolve("data.sock"));
        try (RawClient client = new RawClient(service.port());
                TestSession session = session()) {
            client.hello(GRANTS.session(), GRANTS.ticket()).success();
            assertThatThrownBy(() -> client.call(new Attach.Request(NAME), NOTHING).success())
                    .isInstanceOf(AccessDeniedException.class);
            assertThat(session.path()).exists();
        }
        assertThat(sessions.sessions()).isZero();
    }

    @Test
    void aWrongTicketIsRefusedOnTheUnixSocketToo() throws IOException {
        Path socket = start("auto", directory.resolve("data.sock"));
        try (RawClient client = new RawClient(socket)) {
            assertThatThrownBy(() -> client.hello(GRANTS.session(), GRANTS.ticket() + 1).success())
                    .isInstanceOf(AccessDeniedException.class);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aFileOfAnotherSessionIsRefusedAndTheConnectionGoesOn() throws IOException {
        Path socket = start("auto", directory.resolve("data.sock"));
        try (RawClient client = client(socket);
                TestSession other = new TestSession(directory, NAME, 98, TestSegments.CLUSTER, 8)) {
            assertThatThrownBy(() -> client.call(new Attach.Request(NAME), NOTHING).success())
                    .isInstanceOf(InvalidArgumentException.class);
            assertThat(client.ping().status()).isZero();
            assertThat(other.path()).exists();
        }
    }

    @Test
    void aClosedConnectionLeavesTheSessionToItsLock() throws IOException {
        Path socket = start("auto", directory.resolve("data.sock"));
        try (TestSession session = session()) {
            try (RawClient client = client(socket)) {
                client.call(new Attach.Request(NAME), NOTHING).success();
            }
            sessions.sweep();
            assertThat(sessions.sessions()).isEqualTo(1);
            assertThat(session.path()).exists();
        }
    }

    @Test
    void aPathTooLongForASocketBecomesALink() throws IOException {
        Path deep = directory;
        for (int i = 0; i < 4; i++) {
            deep = deep.resolve("d".repeat(40));
        }
        Files.createDirectories(deep);
        Path announced = start("auto", deep.resolve("data.sock"));
        assertThat(announced).isSymbolicLink();
        Path address = Files.readSymbolicLink(announced);
        try (RawClient client = client(address)) {
            assertThat(client.ping().status()).isZero();
        }
        service.close();
        assertThat(Files.exists(announced, java.nio.file.LinkOption.NOFOLLOW_LINKS)).isFalse();
        assertThat(address.getParent()).doesNotExist();
    }

    @Test
    void theSocketOfAKilledServerIsReplaced() throws IOException {
        Path socket = directory.resolve("data.sock");
        Files.writeString(socket, "left behind");
        start("auto", socket);
        try (RawClient client = client(socket)) {
            assertThat(client.ping().status()).isZero();
        }
        service.close();
        assertThat(socket).doesNotExist();
    }
}
