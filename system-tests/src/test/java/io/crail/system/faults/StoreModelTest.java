// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.CrailClient;
import io.crail.system.process.ProcessCluster;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twenty thousand random operations on a real cluster do what they do to a model in memory, byte
 * for byte and error for error, although namenode and storage servers are killed and restarted in
 * between.
 */
@Tag("faults")
final class StoreModelTest {
    private static final int OPERATIONS = Integer.getInteger("crail.model.operations", 20_000);
    private static final int BETWEEN_FAULTS = 2_500;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void aStoreBehavesAsItsModelWhateverIsKilled() throws Exception {
        long seed = Long.getLong("crail.seed", System.nanoTime());
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .capacity("192 MiB")
                                .set("namenode.snapshot.log-size", "512 KiB")
                                .set("namenode.heartbeat", "200 ms")
                                .start();
                CrailClient root = cluster.client()) {
            CrailClient client = root.withDeadline(Duration.ofSeconds(30));
            RandomOperations operations = new RandomOperations(client, seed);
            for (int i = 1; i <= OPERATIONS; i++) {
                operations.next();
                if (i % BETWEEN_FAULTS == 0) {
                    disturb(cluster, i / BETWEEN_FAULTS);
                    operations.comparison().compareAll();
                }
            }
            operations.comparison().compareAll();
        }
    }

    private static void disturb(ProcessCluster cluster, int round) {
        switch (round % 3) {
            case 0 -> {
                cluster.killStorage(0);
                cluster.restartStorage(0);
            }
            case 1 -> {
                cluster.killNamenode();
                cluster.restartNamenode();
            }
            default -> {
                cluster.killNamenode();
                cluster.killStorage(1);
                cluster.restartNamenode();
                cluster.restartStorage(1);
            }
        }
        cluster.awaitLive(2);
    }
}
