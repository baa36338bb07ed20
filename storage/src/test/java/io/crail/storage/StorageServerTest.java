// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage;

import static io.crail.storage.testing.ScriptedNamenode.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.BlocksFreed.Freed;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.protocol.segment.SegmentPlace;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.ScriptedNamenode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole server between a scripted namenode and a raw client, over real sockets. */
class StorageServerTest {
    private static final int MIB = 1 << 20;
    private static final UUID CLUSTER = new UUID(11, 22);
    private static final byte[] KEY = new byte[16];
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Grants GRANTS = new Grants(KEY, 7, 99);

    @TempDir Path temporary;
    private ScriptedNamenode namenode;

    @BeforeEach
    void startNamenode() throws IOException {
        namenode = new ScriptedNamenode(0, CLUSTER, 5, KEY);
    }

    @AfterEach
    void stopNamenode() throws IOException {
        namenode.close();
    }

    private StorageConfig.Builder config() {
        return StorageConfig.builder(new NamenodeAddress("127.0.0.1", namenode.port()))
                .directory(temporary.resolve("server"))
                .capacity(4 * MIB)
                .segmentSize(2 * MIB)
                .backoff(Duration.ofMillis(5), Duration.ofMillis(50))
                .requestTimeout(Duration.ofSeconds(5));
    }

    private static RawClient client(StorageServer server) throws IOException {
        RawClient client = new RawClient(server.endpoints().get(0).port());
        client.hello(GRANTS.session(), GRANTS.ticket()).success();
        return client;
    }

    @Test
    void announcesItselfAndItsSegmentsAndServesThem() throws IOException {
        try (StorageServer server = StorageServer.start(config().storageClass(3).build())) {
            RegisterServer.Request registered = take(namenode.servers);
            assertThat(registered.tier()).isEqualTo("dram");
            assertThat(registered.storageClass()).isEqualTo(3);
            assertThat(registered.endpoints()).isEqualTo(server.endpoints());
            RegisterSegment.Request first = take(namenode.segments);
            RegisterSegment.Request second = take(namenode.segments);
            assertThat(first.segment()).isZero();
            assertThat(second.segment()).isEqualTo(1);
            assertThat(first.dataBytes()).isEqualTo(2 * MIB);
            assertThat(first.runs()).containsExactly(new RegisterSegment.Run(512, 1));
            assertThat(first.last()).isTrue();
            assertThat(first.incarnation()).isNotZero().isNotEqualTo(second.incarnation());
            assertThat(server.awaitRegistered(LONG)).isEqualTo(7);
            server.awaitFilled(LONG);

            byte[] data = bytes(MIB);
            BlockReference block = GRANTS.block(1, 256, MIB, second.incarnation());
            try (RawClient client = client(server)) {
                client.write(block, 0, data, new int[256]).success();
                assertThat(client.read(block, 0, MIB, 0).success().payload()).isEqualTo(data);
            }
            assertThat(take(namenode.heartbeats).server()).isEqualTo(7);
        }
    }

    @Test
    void keepsDataAndGenerationsOverARestartOfTheServer() throws IOException {
        byte[] data = bytes(8192);
        BlockReference block;
        int incarnation;
        try (StorageServer server = StorageServer.start(config().build())) {
            RegisterSegment.Request segment = take(namenode.segments);
            take(namenode.segments);
            incarnation = segment.incarnation();
            block = GRANTS.block(0, 2, 8192, incarnation);
            try (RawClient client = client(server)) {
                client.write(block, 0, data, 123, 456).success();
            }
            namenode.revoke(0, 5, 4096, Generation.of(incarnation, 1));
            assertThat(take(namenode.freed))
                    .isEqualTo(new Freed(0, 5, 4096, Generation.of(incarnation, 2)));
        }
        try (StorageServer server = StorageServer.start(config().build())) {
            RegisterSegment.Request segment = take(namenode.segments);
            assertThat(segment.incarnation()).isEqualTo(incarnation);
            assertThat(segment.runs())
                    .containsExactly(
                            new RegisterSegment.Run(5, 1),
                            new RegisterSegment.Run(1, 2),
                            new RegisterSegment.Run(506, 1));
            try (RawClient client = client(server)) {
                RawClient.Answer answer = client.read(block, 0, 8192, 1).success();
                assertThat(answer.payload()).isEqualTo(data);
                assertThat(answer.checksums()).containsExactly(123, 456);
            }
        }
    }

    @Test
    void registersAgainWithANamenodeThatRestartsAndServesMeanwhile() throws IOException {
        try (StorageServer server = StorageServer.start(config().build())) {
            RegisterSegment.Request segment = take(namenode.segments);
            take(namenode.segments);
            RegisterServer.Request before = take(namenode.servers);
            BlockReference block = GRANTS.block(0, 0, 4096, segment.incarnation());
            int port = namenode.port();
            try (RawClient client = client(server)) {
                namenode.close();
                client.write(block, 0, bytes(4096)).success();
                namenode = new ScriptedNamenode(port, CLUSTER, 6, KEY);
                assertThat(take(namenode.servers)).isEqualTo(before);
                assertThat(take(namenode.segments)).isEqualTo(segment);
                assertThat(take(namenode.segments).segment()).isEqualTo(1);
                assertThat(take(namenode.hellos).lowestEpoch()).isEqualTo(5);
                client.read(block, 0, 4096, 0).success();
            }
        }
    }

    @Test
    void aNamenodeThatFallsSilentIsLeft() throws IOException {
        StorageConfig config = config().requestTimeout(Duration.ofMillis(200)).build();
        try (StorageServer server = StorageServer.start(config)) {
            server.awaitRegistered(LONG);
            take(namenode.hellos);
            namenode.fallSilent();
            assertThat(take(namenode.hellos).cluster()).isEqualTo(CLUSTER);
        }
    }

    @Test
    void aRefusedRegistrationIsTriedAgain() throws IOException {
        namenode.refuseRegistrations(io.crail.error.ErrorCode.BUSY);
        try (StorageServer server = StorageServer.start(config().build())) {
            take(namenode.servers);
            take(namenode.servers);
            namenode.refuseRegistrations(null);
            assertThat(server.awaitRegistered(LONG)).isEqualTo(7);
        }
    }

    @Test
    void aNamenodeOfALowerEpochIsHungUpOn() throws IOException {
        try (StorageServer server = StorageServer.start(config().build())) {
            server.awaitRegistered(LONG);
        }
        namenode.close();
        namenode = new ScriptedNamenode(0, CLUSTER, 4, KEY);
        try (StorageServer server = StorageServer.start(config().build())) {
            take(namenode.hellos);
            take(namenode.hellos);
            assertThat(namenode.servers).isEmpty();
            assertThatThrownBy(() -> server.awaitRegistered(Duration.ofMillis(1)))
                    .isInstanceOf(io.crail.error.TimeoutException.class);
        }
    }

    @Test
    void segmentsOfAnotherClusterAreRefusedUntilFormatted() throws IOException {
        startAndStop();
        namenode.close();
        namenode = new ScriptedNamenode(0, new UUID(1, 1), 1, KEY);
        try (StorageServer server = StorageServer.start(config().build())) {
            assertThatThrownBy(() -> server.awaitRegistered(LONG))
                    .isInstanceOf(VersionMismatchException.class)
                    .hasMessageContaining("--format");
            assertThatThrownBy(server::awaitEnd).isInstanceOf(VersionMismatchException.class);
        }
        try (StorageServer server = StorageServer.start(config().format(true).build())) {
            assertThat(server.awaitRegistered(LONG)).isEqualTo(7);
        }
    }

    @Test
    void aRevokedBlockIsRefusedUntilGrantedAgain() throws IOException {
        try (StorageServer server = StorageServer.start(config().build())) {
            RegisterSegment.Request segment = take(namenode.segments);
            long first = Generation.of(segment.incarnation(), 1);
            long second = Generation.of(segment.incarnation(), 2);
            namenode.revoke(0, 0, 4096, first);
            assertThat(take(namenode.freed)).isEqualTo(new Freed(0, 0, 4096, second));
            namenode.revoke(0, 0, 4096, first);
            assertThat(take(namenode.freed)).isEqualTo(new Freed(0, 0, 4096, second));
            try (RawClient client = client(server)) {
                BlockReference stale = GRANTS.block(0, 0, 4096, first, 3);
                assertThatThrownBy(() -> client.read(stale, 0, 4096, 0).success())
                        .isInstanceOf(io.crail.error.StaleReferenceException.class);
                BlockReference fresh = GRANTS.block(0, 0, 4096, second, 3);
                client.write(fresh, 0, bytes(100)).success();
            }
        }
    }

    @Test
    void twoServersDoNotShareADirectory() throws IOException {
        try (StorageServer server = StorageServer.start(config().build())) {
            assertThatThrownBy(() -> StorageServer.start(config().build()))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining(server.directory().toString());
        }
        StorageServer.start(config().build()).close();
    }

    @Test
    void twoServersRunInOneProcess() throws IOException {
        try (StorageServer one = StorageServer.start(config().build());
                StorageServer two =
                        StorageServer.start(
                                config().directory(temporary.resolve("second")).build())) {
            one.awaitRegistered(LONG);
            two.awaitRegistered(LONG);
            assertThat(one.endpoints()).isNotEqualTo(two.endpoints());
        }
    }

    @Test
    void removesItsFilesOnExitWhenToldTo() throws IOException {
        try (StorageServer server = StorageServer.start(config().removeOnExit(true).build())) {
            take(namenode.segments);
            take(namenode.segments);
            assertThat(server.directory().resolve("segment-1")).exists();
        }
        assertThat(temporary.resolve("server")).doesNotExist();
    }

    /** With huge pages: system-tests, HugePagesTest. */
    @Test
    void hugePagesWhereThereAreNoneAreRefused() throws IOException {
        StorageConfig config = config().hugePages(temporary).build();
        assertThatThrownBy(() -> StorageServer.start(config))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("storage.huge-pages.dir = " + temporary)
                .hasMessageContaining("mount -t hugetlbfs");
        StorageServer.start(config().build()).close(); // Nothing is locked, nothing is noted.
    }

    @Test
    void segmentsElsewhereAreFoundByFormatAndByRemoval() throws IOException {
        for (boolean format : new boolean[] {true, false}) {
            Path server = Files.createDirectories(temporary.resolve("server"));
            Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
            Files.createFile(elsewhere.resolve("segment-0"));
            new SegmentPlace(server).put(elsewhere);
            assertThatThrownBy(() -> StorageServer.start(config().build()))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining(elsewhere.toString())
                    .hasMessageContaining("--format");
            if (format) {
                StorageServer.start(config().format(true).build()).close();
            } else {
                SegmentPlace.removeElsewhereOfAll(temporary);
            }
            assertThat(elsewhere).doesNotExist();
            StorageServer.start(config().removeOnExit(true).build()).close();
            assertThat(server).doesNotExist();
        }
    }

    @Test
    void unknownOptionsOfATierAreNamed() {
        assertThatThrownBy(() -> StorageServer.start(config().tierOption("colour", "x").build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("colour")
                .hasMessageContaining("transport");
    }

    @Test
    void keepsFilesToItself() throws IOException {
        try (StorageServer server = StorageServer.start(config().build())) {
            take(namenode.segments);
            assertThat(Files.getPosixFilePermissions(server.directory())).hasSize(3);
            assertThat(Files.getPosixFilePermissions(server.directory().resolve("segment-0")))
                    .hasSize(2);
        }
    }

    @Test
    void impossibleSizesAreNamed() {
        assertThatThrownBy(
                        () ->
                                StorageServer.start(
                                        config().segmentSize(4L << 30).capacity(8L << 30).build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("1 GiB");
        assertThatThrownBy(() -> StorageServer.start(config().capacity(MIB).build()))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> StorageServer.start(config().tier("tape").build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("dram");
        assertThatThrownBy(() -> StorageServer.start(config().transport("pigeon").build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("epoll");
    }

    @Test
    void aCapacityBeyondTheFileSystemIsRefusedWithARemedy() throws IOException {
        StorageConfig config = config().segmentSize(1L << 30).capacity(1L << 50).build();
        try (StorageServer server = StorageServer.start(config)) {
            assertThatThrownBy(() -> server.awaitRegistered(LONG))
                    .isInstanceOf(OutOfSpaceException.class)
                    .hasMessageContaining("--shm-size");
        }
    }

    /** Leaves segments behind. */
    private void startAndStop() throws IOException {
        StorageServer server = StorageServer.start(config().build());
        take(namenode.segments);
        take(namenode.segments);
        server.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
