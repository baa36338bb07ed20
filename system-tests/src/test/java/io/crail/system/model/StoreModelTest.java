// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twenty thousand random operations on a real cluster, from clients that map its memory and clients
 * that do not, do what they do to a model in memory, byte for byte and error for error, although
 * namenode, storage servers and other clients are killed in between.
 */
@Tag("faults")
final class StoreModelTest {
    private static final int OPERATIONS = Integer.getInteger("crail.model.operations", 20_000);
    private static final int BETWEEN_FAULTS = 2_500;
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(5);

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
                ModelClients clients = new ModelClients(shared -> connect(cluster, shared))) {
            ModelRun run = new ModelRun(clients, seed);
            LifetimeOperations lifetimes = new LifetimeOperations(run);
            RandomOperations operations = new RandomOperations(run, lifetimes);
            for (int i = 0; i < OPERATIONS; i += BETWEEN_FAULTS) {
                round(cluster, run, lifetimes, operations, i / BETWEEN_FAULTS + 1);
            }
            lifetimes.awaitAll();
            clients.checkWays();
        }
    }

    private static CrailClient connect(ProcessCluster cluster, boolean shared)
            throws CrailException {
        return CrailClient.connect(
                cluster.clientConfig()
                        .deadline(Duration.ofSeconds(30))
                        .sharedMemory(shared)
                        .build());
    }

    private static void round(
            ProcessCluster cluster,
            ModelRun run,
            LifetimeOperations lifetimes,
            RandomOperations operations,
            int round)
            throws Exception {
        String bound = "bound-" + round;
        try (ClientProcess other =
                ClientProcess.start(
                        BoundMain.class,
                        cluster.namenodeAddress(),
                        "/living/" + bound,
                        Long.toString(SESSION_TIMEOUT.toMillis()),
                        Integer.toString(round))) {
            other.awaitLine("bound");
            lifetimes.bound(bound, BoundMain.content(round));
            for (int i = 0; i < BETWEEN_FAULTS; i++) {
                operations.next();
            }
            lifetimes.awaitDue();
            long begin = lifetimes.beginCrash();
            disturb(cluster, round);
            lifetimes.endCrash(begin, SESSION_TIMEOUT);
            run.comparison.compareAll();
            lifetimes.killing(bound, SESSION_TIMEOUT);
            other.kill();
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
