// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.BlockLocation;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.ServerState;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Storage servers that are late, lost, and back: what readers and writers see of it. */
@Tag("faults")
final class AbsentServerTest {
    private static final Duration NEVER = Duration.ofMinutes(10);

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private ProcessCluster cluster(int servers, String deadServerTime) {
        ProcessCluster cluster =
                ProcessCluster.builder()
                        .servers(servers)
                        .set("namenode.dead-server.time", deadServerTime)
                        .set("namenode.server-return.time", deadServerTime)
                        .set("namenode.heartbeat", "100 ms")
                        .start();
        open.add(cluster);
        return cluster;
    }

    /** Over TCP: memory of this host is there whether its server runs or not. */
    private CrailClient client(ProcessCluster cluster, Duration deadline) throws CrailException {
        CrailClient client =
                CrailClient.connect(
                        cluster.clientConfig().deadline(deadline).sharedMemory(false).build());
        open.add(client);
        return client;
    }

    private static void awaitState(ProcessCluster cluster, ServerState state, long servers) {
        cluster.await(
                servers + " servers " + state,
                client ->
                        client.statistics().servers().stream()
                                        .filter(server -> server.state() == state.wire())
                                        .count()
                                == servers);
    }

    @Test
    void readsUnderWayGoOnWhenTheirServerIsKilledAndRestartedElsewhere() throws Exception {
        ProcessCluster cluster = cluster(1, "60 s");
        CrailClient client = client(cluster, Duration.ofSeconds(60));
        byte[] bytes = Payload.random(1, 8_000_000);
        Payload.write(client, "/f", bytes);
        CrailTable table = client.createTable("/t");
        byte[] value = Payload.random(2, 200_000);
        table.put(Payload.text("k"), value);
        try (CrailFile file = client.open("/f")) {
            cluster.killStorage(0);
            awaitState(cluster, ServerState.EXPECTED, 1);
            List<CrailFuture<Integer>> reads = new ArrayList<>();
            List<ByteBuffer> targets = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                ByteBuffer target = ByteBuffer.allocateDirect(1_000_000);
                targets.add(target);
                reads.add(file.readAsync(i * 1_000_000L, target));
            }
            String before = cluster.storageAddress(0);
            cluster.restartStorageElsewhere(0);
            assertThat(cluster.storageAddress(0)).isNotEqualTo(before);
            for (int i = 0; i < reads.size(); i++) {
                assertThat(reads.get(i).get()).isEqualTo(1_000_000);
                byte[] read = new byte[1_000_000];
                targets.get(i).flip().get(read);
                assertThat(read)
                        .isEqualTo(Arrays.copyOfRange(bytes, i * 1_000_000, (i + 1) * 1_000_000));
            }
        }
        assertThat(table.get(Payload.text("k")).orElseThrow().toByteArray()).isEqualTo(value);
    }

    @Test
    void readsAtAnyMomentOfRestartsSucceed() throws Exception {
        ProcessCluster cluster = cluster(2, "60 s");
        CrailClient client = client(cluster, Duration.ofSeconds(60));
        byte[] bytes = Payload.random(3, 4_000_000);
        Payload.write(client, "/f", bytes);
        for (int round = 0; round < 3; round++) {
            int server = round % 2;
            Thread restarter =
                    new Thread(
                            () -> {
                                cluster.killStorage(server);
                                cluster.restartStorage(server);
                            },
                            "restarter");
            restarter.start();
            do {
                assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
            } while (restarter.isAlive());
            restarter.join();
        }
    }

    @Test
    void readsOfAnExpectedServerAreBusyAtTheirDeadline() throws IOException {
        ProcessCluster cluster = cluster(1, "10 min");
        CrailClient patient = client(cluster, NEVER);
        Payload.write(patient, "/f", Payload.random(4, 3_000_000));
        CrailClient client = patient.withDeadline(Duration.ofSeconds(2));
        cluster.killStorage(0);
        awaitState(cluster, ServerState.EXPECTED, 1);
        assertThatThrownBy(() -> Payload.read(client, "/f"))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("/f")
                .hasMessageContaining("storage server")
                .hasMessageContaining(cluster.storageAddress(0));
    }

    @Test
    void readsOfAKilledServerFailSoonByDefault() throws IOException {
        ProcessCluster cluster = ProcessCluster.builder().servers(1).start();
        open.add(cluster);
        CrailClient client = client(cluster, Duration.ofMinutes(5));
        Payload.write(client, "/f", Payload.random(6, 3_000_000));
        cluster.killStorage(0);
        // Long before the deadline, and before the time that a silent server has.
        assertThatThrownBy(() -> Payload.read(client, "/f"))
                .isInstanceOf(ServerLostException.class)
                .hasMessageContaining("/f")
                .hasMessageContaining("storage server");
        assertThat(client.statistics().servers().get(0).silentMillis()).isLessThan(30_000);
        cluster.restartStorage(0);
        cluster.awaitLive(1);
        assertThat(Payload.read(client, "/f")).isEqualTo(Payload.random(6, 3_000_000));
    }

    @Test
    void afterARestartOfTheNamenodeAServerThatDoesNotComeIsExpectedAndThenDead()
            throws IOException {
        ProcessCluster cluster = cluster(1, "10 s");
        CrailClient client = client(cluster, Duration.ofMinutes(5));
        Payload.write(client, "/f", Payload.random(5, 3_000_000));
        cluster.killNamenode();
        cluster.killStorage(0);
        cluster.restartNamenode();
        awaitState(cluster, ServerState.EXPECTED, 1);
        CrailClient impatient = client.withDeadline(Duration.ofSeconds(1));
        assertThatThrownBy(() -> Payload.read(impatient, "/f")).isInstanceOf(BusyException.class);
        // Long before the deadline, as soon as it is declared dead.
        assertThatThrownBy(() -> Payload.read(client, "/f"))
                .isInstanceOf(ServerLostException.class)
                .hasMessageContaining("/f")
                .hasMessageContaining("storage server");
        awaitState(cluster, ServerState.DEAD, 1);
        assertThatThrownBy(() -> Payload.read(client, "/f"))
                .isInstanceOf(ServerLostException.class);
    }

    @Test
    void aStoppedServerHoldsNoWriteUpUntilTheDeadline() throws IOException {
        // It is not declared dead: only going elsewhere ends the write before its deadline.
        ProcessCluster cluster = cluster(2, "10 min");
        CrailClient client = client(cluster, Duration.ofSeconds(16));
        byte[] small = Payload.random(6, 300_000);
        byte[] value = Payload.random(7, 3_000_000);
        CrailTable table = client.createTable("/t");
        // Both servers have a connection.
        Payload.write(client, "/warm", Payload.random(8, 4_000_000));
        cluster.pauseStorage(0);
        try {
            for (int i = 0; i < 2; i++) {
                Payload.write(client, "/f" + i, small);
            }
            table.put(Payload.text("k"), value);
            assertThat(serversOf(client, "/f0", "/f1")).hasSize(1);
        } finally {
            cluster.resumeStorage(0);
        }
        // The late writes reach blocks that nobody else has.
        assertThat(Payload.read(client, "/f0")).isEqualTo(small);
        assertThat(Payload.read(client, "/f1")).isEqualTo(small);
        assertThat(table.get(Payload.text("k")).orElseThrow().toByteArray()).isEqualTo(value);
        client.delete("/f0", false);
        client.delete("/f1", false);
        client.delete("/t", true);
        client.delete("/warm", false);
        cluster.await(
                "all blocks free",
                asked ->
                        asked.statistics().classes().stream()
                                .allMatch(c -> c.free() == c.capacity()));
    }

    private static Set<Integer> serversOf(CrailClient client, String... paths)
            throws CrailException {
        List<BlockLocation> locations = new ArrayList<>();
        for (String path : paths) {
            locations.addAll(client.locations(path));
        }
        return locations.stream().map(BlockLocation::server).collect(Collectors.toSet());
    }

    @Test
    void bytesThatAreNotCommittedWhenTheirServerIsKilledAreWrittenElsewhere() throws IOException {
        ProcessCluster cluster = cluster(2, "10 min");
        CrailClient client = client(cluster, NEVER);
        for (int round = 0; round < 2; round++) {
            byte[] bytes = Payload.random(round, 50_000);
            String path = "/f" + round;
            CrailOutputStream out = client.createFile(path);
            out.write(bytes);
            long before = client.clientStatistics().blockWrites();
            out.flush();
            cluster.await(
                    "the bytes are at the server",
                    asked -> client.clientStatistics().blockWrites() > before);
            cluster.killStorage(round);
            // A commit that comes before the namenode has noticed is good: the memory is still
            // there.
            awaitState(cluster, ServerState.EXPECTED, 1);
            out.close();
            assertThat(Payload.read(client, path)).isEqualTo(bytes);
            cluster.restartStorage(round);
            cluster.awaitLive(2);
        }
    }
}
