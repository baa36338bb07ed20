// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.identify.LocalSocketField;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts on the target's machine, which may use its Unix socket. */
class LocalSocketTest {
    private static final Path SOCKETS = Path.of("/proc/net/unix");
    private static final String CONNECTED = " 0001 03 ";
    private static final int BLOCK = 4096;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir Path directory;

    private final UUID owner = UUID.randomUUID();

    private TestTarget target(Path memory) throws IOException {
        return new TestTarget(
                directory,
                BLOCK,
                each -> each.sharedMemory(new SharedMemoryConfig(memory, owner, 64 << 20)));
    }

    private Path memory() throws IOException {
        Path memory = directory.resolve("memory");
        return Files.createDirectory(
                memory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private Path socket(Path memory) {
        return memory.resolve(owner + ".socket");
    }

    private static InitiatorConfig config() {
        return InitiatorConfig.of(UUID.randomUUID());
    }

    /** Ends of connections that the target has accepted there. */
    private static long connections(Path socket) throws IOException {
        assumeTrue(Files.isReadable(SOCKETS));
        try (var lines = Files.lines(SOCKETS)) {
            return lines.filter(each -> each.contains(CONNECTED) && each.endsWith(" " + socket))
                    .count();
        }
    }

    /** Writes and reads, small and large, and says by how many local connections. */
    private static long use(TestTarget target, Path socket, InitiatorConfig config)
            throws IOException {
        return use(target.address().getPort(), socket, config);
    }

    private static long use(int port, Path socket, InitiatorConfig config) throws IOException {
        NvmeAddress address = new NvmeAddress("127.0.0.1", port, TestHost.SUBSYSTEM);
        try (NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(address)) {
            NvmeNamespace namespace = controller.namespace(1);
            long local = connections(socket);
            for (int bytes : new int[] {BLOCK, 64 << 10, 512 << 10}) {
                // The later ones of the large ones find shared memory.
                for (int turn = 0; turn < 24; turn++) {
                    ByteBuffer written = ByteBuffer.allocateDirect(bytes);
                    written.put(0, TestTarget.random(turn, bytes));
                    ByteBuffer read = ByteBuffer.allocateDirect(bytes);
                    namespace.write(turn, written.duplicate()).await();
                    namespace.read(turn, read.duplicate()).await();
                    assertThat(read).isEqualTo(written);
                }
            }
            return local;
        }
    }

    @Test
    void queuesOfThisMachineUseIt() throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        try (TestTarget target = target(memory)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                    .isEqualTo("rw-------");
            InitiatorConfig config = config();
            assertThat(use(target, socket, config)).isEqualTo(config.queues());
            await().until(() -> connections(socket) == 0);
            assertThat(target.target().statistics().sharedMemory()).isZero();
        }
        assertThat(socket).doesNotExist();
    }

    @Test
    void whoWantsNoSharedMemoryOrSeesToTheNetworkUsesTcp() throws Exception {
        Path memory = memory();
        List<UnaryOperator<InitiatorConfig>> others =
                List.of(
                        each -> each.withSharedMemory(false),
                        each -> each.withDigests(true, false),
                        each -> each.withDigests(false, true));
        try (TestTarget target = target(memory)) {
            for (UnaryOperator<InitiatorConfig> each : others) {
                assertThat(use(target, socket(memory), each.apply(config()))).isZero();
            }
        }
    }

    @Test
    void whoComesThroughATunnelStaysInIt() throws Exception {
        Path memory = memory();
        try (TestTarget target = target(memory);
                Tunnel tunnel = new Tunnel(target.address())) {
            assertThat(use(tunnel.port(), socket(memory), config())).isZero();
        }
    }

    @Test
    void comesBackThereAfterTheTargetHas() throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        try (TestTarget target = target(memory);
                NvmeInitiator initiator =
                        new NvmeInitiator(
                                config().withConnectTimeouts(
                                                PATIENCE, PATIENCE, Duration.ofMillis(10)));
                NvmeController controller =
                        initiator.connect(
                                new NvmeAddress(
                                        "127.0.0.1",
                                        target.address().getPort(),
                                        TestHost.SUBSYSTEM))) {
            NvmeNamespace namespace = controller.namespace(1);
            ByteBuffer bytes = ByteBuffer.allocateDirect(BLOCK);
            namespace.write(0, bytes.duplicate()).await();
            target.restart();
            namespace.read(0, bytes.duplicate()).await();
            assertThat(connections(socket)).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-x---", "rwx--x---", "rwx-----x"})
    void aDirectoryThatOthersMayEnterIsNotBelieved(String rights) throws Exception {
        Path memory = memory();
        try (TestTarget target = target(memory)) {
            Files.setPosixFilePermissions(memory, PosixFilePermissions.fromString(rights));
            assertThat(use(target, socket(memory), config())).isZero();
        }
    }

    @Test
    void whatIsNoSocketIsNotUsed() throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        try (TestTarget target = target(memory)) {
            Files.delete(socket);
            assertThat(use(target, socket, config())).as("none").isZero();
            Files.createFile(socket);
            assertThat(use(target, socket, config())).as("a file").isZero();
            Files.delete(socket);
            Files.createSymbolicLink(socket, directory.resolve("medium"));
            assertThat(use(target, socket, config())).as("a link").isZero();
            Files.delete(socket);
            Files.createDirectory(socket);
            assertThat(use(target, socket, config())).as("a directory").isZero();
            Files.delete(socket);
        }
    }

    @Test
    void whereNobodyListensAnyMoreItIsTcp() throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        try (TestTarget target = target(memory)) {
            Files.delete(socket);
            ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    .bind(UnixDomainSocketAddress.of(socket))
                    .close();
            assertThat(socket).exists();
            assertThat(use(target, socket, config())).isZero();
        }
    }

    /** Another program of this user that listens there: closes connections, or says nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereSomebodyElseListensItIsTcp(boolean closes) throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        try (TestTarget target = target(memory)) {
            Files.delete(socket);
            AtomicInteger accepted = new AtomicInteger();
            List<SocketChannel> open = new ArrayList<>();
            Thread thread;
            try (ServerSocketChannel other =
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                other.bind(UnixDomainSocketAddress.of(socket));
                thread = new Thread(() -> accept(other, closes, accepted, open));
                thread.start();
                InitiatorConfig config =
                        config().withConnectTimeouts(
                                        Duration.ofMillis(500), PATIENCE, Duration.ofMillis(10));
                long unused = use(target, socket, config);
            }
            thread.join();
            assertThat(accepted).hasPositiveValue();
            for (SocketChannel each : open) {
                each.close();
            }
        }
    }

    private static void accept(
            ServerSocketChannel other,
            boolean closes,
            AtomicInteger accepted,
            List<SocketChannel> open) {
        try {
            while (true) {
                SocketChannel each = other.accept();
                accepted.incrementAndGet();
                if (closes) {
                    each.close();
                } else {
                    open.add(each);
                }
            }
        } catch (ClosedChannelException e) {
            // the end
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aPathThatIsTooLongMeansTcp() throws Exception {
        Path memory = directory.resolve("x".repeat(100));
        Files.createDirectory(memory);
        try (TestTarget target = target(memory)) {
            assertThat(socket(memory)).doesNotExist();
            assertThat(use(target, socket(memory), config())).isZero();
        }
    }

    @Test
    void whatAKilledTargetLeftIsReplaced() throws Exception {
        Path memory = memory();
        Path socket = socket(memory);
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(socket))
                .close();
        try (TestTarget target = target(memory)) {
            InitiatorConfig config = config();
            assertThat(use(target, socket, config)).isEqualTo(config.queues());
        }
    }

    @Test
    void isToldOnlyByATargetThatSharesMemory() throws Exception {
        Path memory = memory();
        try (TestTarget target = target(memory);
                TestHost host = target.host()) {
            assertThat(told(host))
                    .isEqualTo(new LocalSocketField(socket(memory).toString(), target.address()));
        }
        try (TestTarget target = new TestTarget(directory);
                TestHost host = target.host()) {
            assertThat(told(host)).isNull();
        }
    }

    private static @Nullable LocalSocketField told(TestHost host) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        IdentifyCommand.encode(entry, 0, host.admin().nextId(), 0, IdentifyCommand.CONTROLLER);
        Completion answer = host.admin().read(entry, IdentifyCommand.DATA_SIZE).expectSuccess();
        return LocalSocketField.decode(answer.bytes(), 0);
    }
}
