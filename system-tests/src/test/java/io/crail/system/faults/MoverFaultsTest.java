// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes are killed while nodes move between memory and flash. */
@Tag("faults")
@Timeout(120)
final class MoverFaultsTest {
    private static final int MIB = 1 << 20;

    private static ProcessCluster cluster(boolean movers) throws IOException {
        return ProcessCluster.builder()
                .servers(1)
                .capacity("64 MiB")
                .flash("256 MiB")
                .set("storage.nvmf.allocation", "sparse")
                .set("namenode.tier.idle-time", "0 s")
                .set("namenode.tier.low-water", "25")
                .set("storage.mover.enabled", Boolean.toString(movers))
                // What a killed mover was granted is free again when its session has ended.
                .set("client.session.timeout", "3 s")
                .set("storage.mover.rate", "8 MiB")
                .start();
    }

    private static int fill(CrailClient client) throws IOException {
        int count = 0;
        while (used(client) <= 55L * MIB) {
            Payload.write(client, "/f" + count, Payload.random(count, 3 * MIB / 2));
            count++;
        }
        return count;
    }

    private static long used(CrailClient client) throws CrailException {
        return use(client).used();
    }

    private static TierStatus.ClassUse use(CrailClient client) throws CrailException {
        return client.admin().tiering().status().classes().get(0);
    }

    private static void awaitLow(CrailClient client) {
        Awaitility.await().until(() -> used(client) <= 16L * MIB);
    }

    private static void check(CrailClient client, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            assertThat(Payload.read(client, "/f" + i)).isEqualTo(Payload.random(i, 3 * MIB / 2));
        }
        Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThat(client.statistics().classes())
                                        .extracting(Statistics.Capacity::granted)
                                        .containsOnly(0L));
        assertThat(client.admin().check(null, things -> {}).findings()).isEmpty();
    }

    @Test
    void aMoverThatIsKilledLeavesNothingAndAnotherGoesOn() throws IOException {
        try (ProcessCluster cluster = cluster(false);
                CrailClient client = cluster.client()) {
            int count = fill(client);
            String namenode = cluster.namenodeAddress();
            try (ClientProcess mover = ClientProcess.start(MoverMain.class, namenode)) {
                mover.awaitLine("moving");
                mover.kill();
            }
            assertThat(used(client)).isGreaterThan(16L * MIB);
            check(client, count);
            try (ClientProcess mover = ClientProcess.start(MoverMain.class, namenode)) {
                mover.awaitLine("moving");
                awaitLow(client);
            }
            check(client, count);
        }
    }

    @Test
    void serversThatAreKilledWhileTheyMoveGoOnWhenTheyAreBack() throws IOException {
        try (ProcessCluster cluster = cluster(true);
                CrailClient client = cluster.client()) {
            client.admin().tiering().pause(true);
            int count = fill(client);
            // Remembered, while what the namenode was about to do is not: only the high mark
            // counts.
            client.admin().tiering().setMarks(25, 20);
            client.admin().tiering().pause(false);
            Awaitility.await().until(() -> use(client).demoted() > 0);
            cluster.killStorage(0);
            cluster.restartStorage(0);
            cluster.killNamenode();
            cluster.restartNamenode();
            cluster.awaitLive(2);
            cluster.await(
                    "nodes move again", asks -> use(asks).demoted() > 0 || used(asks) <= 16L * MIB);
            cluster.killStorage(1);
            cluster.restartStorage(1);
            cluster.awaitLive(2);
            awaitLow(client);
            check(client, count);
        }
    }
}
