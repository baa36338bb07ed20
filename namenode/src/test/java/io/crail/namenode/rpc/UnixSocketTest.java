// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of the socket: who gets in, what is left, how long its path may be. */
class UnixSocketTest {
    private final SecureRandom random = new SecureRandom();
    private @TempDir Path home;

    private RpcServer bind(UnixSocket socket) throws IOException {
        return RpcServer.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                socket,
                RpcOptions.defaults(),
                new TestHandler());
    }

    private Path longHome() throws IOException {
        return Files.createDirectories(home.resolve("x".repeat(60)).resolve("y".repeat(60)));
    }

    /** Listens, and goes without tidying up, as a killed process does. */
    private static void listenAndDie(UnixSocket socket) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(socket.address());
        }
        assertThat(socket.address().getPath()).exists();
    }

    @Test
    void onlyTheOwnerMayEnterAndTheCookieIsFoundThere() throws IOException {
        UnixSocket socket = UnixSocket.in(home, random);
        LocalEndpoint told = socket.endpoint();
        assertThat(Files.getPosixFilePermissions(Path.of(told.directory())))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(told.find()).isEqualTo(socket.address().getPath());
    }

    @Test
    void eachLifeHasACookieOfItsOwn() throws IOException {
        LocalEndpoint first = UnixSocket.in(home, random).endpoint();
        LocalEndpoint second = UnixSocket.in(home, random).endpoint();
        assertThat(second.directory()).isEqualTo(first.directory());
        assertThat(second.cookie()).isNotEqualTo(first.cookie());
        assertThatThrownBy(first::find).isInstanceOf(IOException.class);
    }

    @Test
    void aClosedServerLeavesNothing() throws IOException {
        for (Path each : new Path[] {home, longHome()}) {
            UnixSocket socket = UnixSocket.in(each, random);
            bind(socket).close();
            assertThat(Path.of(socket.endpoint().directory())).doesNotExist();
            assertThat(Files.exists(each.resolve("local"), LinkOption.NOFOLLOW_LINKS)).isFalse();
        }
    }

    @Test
    void whatAKilledServerLeftIsReplaced() throws IOException {
        for (Path each : new Path[] {home, longHome()}) {
            UnixSocket killed = UnixSocket.in(each, random);
            listenAndDie(killed);
            UnixSocket socket = UnixSocket.in(each, random);
            try (RpcServer server = bind(socket)) {
                server.start();
                TestClient.establish(SocketKind.UNIX.address(server)).close();
            }
            assertThat(killed.address().getPath()).doesNotExist();
        }
    }

    @Test
    void aTemporaryDirectoryThatWasSweptMeanwhileIsMadeAnew() throws IOException {
        Path deep = longHome();
        UnixSocket killed = UnixSocket.in(deep, random);
        Path directory = Path.of(killed.endpoint().directory());
        Files.delete(directory.resolve(LocalEndpoint.COOKIE));
        Files.delete(directory);
        UnixSocket socket = UnixSocket.in(deep, random);
        assertThat(socket.endpoint().find()).isEqualTo(socket.address().getPath());
        socket.close();
    }

    @Test
    void aPathTooLongForASocketIsShortened() throws IOException {
        Path deep = longHome();
        try (RpcServer server = bind(UnixSocket.in(deep, random))) {
            server.start();
            Path path = server.localSocket().orElseThrow();
            assertThat(path.toString()).hasSizeLessThanOrEqualTo(LocalEndpoint.MAX_SOCKET_PATH);
            assertThat(deep.resolve("local")).isSymbolicLink();
            TestClient.establish(UnixDomainSocketAddress.of(path)).close();
        }
    }

    @Test
    void whatOthersPutThereIsNotRemovedAndSaid() throws IOException {
        Path precious = Files.createDirectory(home.resolve("local")).resolve("precious");
        Files.createFile(precious);
        assertThatThrownBy(() -> UnixSocket.in(home, random)).isInstanceOf(IOException.class);
        assertThat(precious).exists();
    }

    @Test
    void aServerThatCannotListenOnTheSocketServesTcp() throws IOException {
        UnixSocket socket = UnixSocket.in(home, random);
        Files.createDirectory(socket.address().getPath());
        try (RpcServer server = bind(socket)) {
            server.start();
            assertThat(server.localSocket()).isEmpty();
            TestClient.establish(server.address()).close();
        }
    }

    @Test
    void aServerThatCannotListenOnItsPortRemovesTheSocket() throws IOException {
        try (RpcServer first =
                RpcServer.bind(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        RpcOptions.defaults(),
                        new TestHandler())) {
            UnixSocket socket = UnixSocket.in(home, random);
            assertThatThrownBy(
                            () ->
                                    RpcServer.bind(
                                            first.address(),
                                            socket,
                                            RpcOptions.defaults(),
                                            new TestHandler()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(first.address().getPort()));
            assertThat(home).isEmptyDirectory();
        }
    }

    @Test
    void aServerThatStopsLateLeavesTheDirectoryOfTheNextOne() throws IOException {
        UnixSocket late = UnixSocket.in(home, random);
        UnixSocket next = UnixSocket.in(home, random);
        late.close();
        assertThat(next.endpoint().find()).isEqualTo(next.address().getPath());
    }

    @Test
    void clientsOfThisHostAreToldOverTcpOnly() throws Exception {
        TestHandler handler = new TestHandler();
        try (RpcServer server = SocketKind.bind(home, handler, RpcOptions.defaults())) {
            server.start();
            for (SocketKind kind : SocketKind.values()) {
                TestClient.establish(kind.address(server)).close();
                Connection connection =
                        handler.closed.poll(60, java.util.concurrent.TimeUnit.SECONDS);
                assertThat(connection).isNotNull();
                assertThat(connection.local().isPresent()).isEqualTo(kind == SocketKind.TCP);
            }
        }
    }
}
