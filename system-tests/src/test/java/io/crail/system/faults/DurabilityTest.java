// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an acknowledgement is worth, and how the loss of a server is told. */
@Tag("faults")
final class DurabilityTest {
    private static final int ROUNDS = 5;
    private static final int PUTS = 300;

    /** Each acknowledged put survives kill -9 in the middle of more puts, round after round. */
    @ParameterizedTest
    @ValueSource(strings = {"process", "sync"})
    void whatIsAcknowledgedSurvivesKillingTheNamenode(String level) throws Exception {
        try (ProcessCluster cluster =
                ProcessCluster.builder()
                        .servers(1)
                        .set("namenode.durability", level)
                        .set("namenode.snapshot.log-size", "64 KiB")
                        .start()) {
            List<String> acknowledged = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                try (CrailClient client = cluster.client()) {
                    acknowledged.addAll(putAndKill(cluster, client, round));
                }
                try (CrailClient client = cluster.client()) {
                    CrailTable table = client.table("/t");
                    for (String key : acknowledged) {
                        assertThat(table.get(Payload.text(key)))
                                .as(key)
                                .hasValueSatisfying(
                                        value ->
                                                assertThat(value.toByteArray())
                                                        .isEqualTo(Payload.text("value " + key)));
                    }
                }
            }
            assertThat(acknowledged).hasSize(ROUNDS * PUTS);
        }
    }

    /** Kills the namenode while puts are under way; all are acknowledged in the end, once. */
    private static List<String> putAndKill(ProcessCluster cluster, CrailClient client, int round)
            throws Exception {
        CrailTable table = round == 0 ? client.createTable("/t") : client.table("/t");
        List<String> keys = new ArrayList<>();
        List<CompletableFuture<Long>> puts = new ArrayList<>();
        for (int i = 0; i < PUTS; i++) {
            String key = round + "-" + i;
            keys.add(key);
            puts.add(
                    table.putAsync(
                            Payload.text(key),
                            java.nio.ByteBuffer.wrap(Payload.text("value " + key))));
            if (i == PUTS / 2) {
                puts.get(i / 2).get();
                cluster.killNamenode();
                cluster.restartNamenode();
            }
        }
        List<Long> versions = new ArrayList<>();
        for (CompletableFuture<Long> put : puts) {
            versions.add(put.get());
        }
        assertThat(versions).doesNotHaveDuplicates();
        return keys;
    }

    @Test
    void aDeadServersBlocksAreCountedAndComeBackWithIt() throws IOException {
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .servers(2)
                                .set("namenode.dead-server.time", "4 s")
                                .set("namenode.heartbeat", "200 ms")
                                .start();
                CrailClient client = cluster.client()) {
            byte[] bytes = Payload.random(1, 10 << 20);
            Payload.write(client, "/f", bytes);
            cluster.killStorage(0);
            cluster.await(
                    "the server is dead and its blocks are counted as lost",
                    c -> {
                        Statistics.ServerCapacity dead =
                                c.statistics().servers().stream()
                                        .filter(s -> s.state() == ServerState.DEAD.wire())
                                        .findFirst()
                                        .orElse(null);
                        return dead != null
                                && dead.lostBlocks() > 0
                                && c.statistics().classes().get(0).lost() > 0;
                    });
            cluster.restartStorage(0);
            cluster.awaitLive(2);
            cluster.await(
                    "nothing is lost any more", c -> c.statistics().classes().get(0).lost() == 0);
            assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
        }
    }
}
