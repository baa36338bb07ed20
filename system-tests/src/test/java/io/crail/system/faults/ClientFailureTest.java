// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.protocol.message.NodeStatus;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that die, or start all at once. */
@Tag("faults")
final class ClientFailureTest {
    private static ProcessCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster =
                ProcessCluster.builder()
                        .set("namenode.session.timeout", "5 s")
                        .set("namenode.lease.time", "1 s")
                        .start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void aKilledWriterLeavesTheCommittedLengthAndNoBlocks() throws IOException {
        try (CrailClient client = cluster.client();
                ClientProcess writer =
                        ClientProcess.start(
                                WriterMain.class, cluster.namenodeAddress(), "/killed")) {
            writer.awaitLine("writing");
            writer.kill();
            // The store goes on for everybody else at once.
            Payload.write(client, "/other", Payload.random(9, 1_000_000));

            cluster.await(
                    "the writer's session has ended",
                    c -> !c.status("/killed").has(NodeStatus.OPEN_FOR_WRITING));
            assertThat(Payload.read(client, "/killed"))
                    .isEqualTo(Payload.random(1, WriterMain.SYNCED));

            try (CrailOutputStream out = client.append("/killed")) {
                out.write(Payload.text("and more"));
            }
            byte[] all = Payload.read(client, "/killed");
            assertThat(all).hasSize(WriterMain.SYNCED + 8).endsWith(Payload.text("and more"));

            client.delete("/killed", false);
            client.delete("/other", false);
            awaitNoBlocks();
        }
    }

    private static void awaitNoBlocks() {
        cluster.await(
                "no block is left behind",
                c -> {
                    var bytes = c.statistics().classes().get(0);
                    return bytes.granted() == 0
                            && bytes.revoking() == 0
                            && bytes.quarantined() == 0
                            && bytes.committed() == 0
                            && bytes.free() == bytes.capacity();
                });
    }

    @Test
    void clientsThatStartAtTheSameMomentAllRunAndDieWithTheirStockOfBlocks() throws IOException {
        try (CrailClient client = cluster.client()) {
            CrailTable table = client.createTable("/t");
            List<ClientProcess> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(
                        ClientProcess.start(
                                PutterMain.class, cluster.namenodeAddress(), "client" + i));
            }
            for (ClientProcess each : clients) {
                assertThat(each.awaitEnd()).isZero();
            }
            for (int c = 0; c < 4; c++) {
                for (int i = 0; i < PutterMain.VALUES; i++) {
                    byte[] key = Payload.text("client" + c + "-" + i);
                    assertThat(table.get(key).orElseThrow().toByteArray())
                            .isEqualTo(Payload.random(i, 5000));
                }
            }
            client.delete("/t", true);
            awaitNoBlocks();
        }
    }
}
