// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * The store of a test, which is empty at the start and the end of each round, and two clients of
 * it, over shared memory and over TCP. {@code -Dcrail.stopped.rounds} says how many rounds, {@code
 * -Dcrail.seed} repeats a run as far as chance permits. Not thread-safe.
 */
final class Rounds implements AutoCloseable {
    private static final int ROUNDS = Integer.getInteger("crail.stopped.rounds", 20);
    private static final long CAPACITY = 32 << 20;

    /** One round. */
    @FunctionalInterface
    interface Round {
        void play(int round, Random random) throws IOException;
    }

    private final long seed = Long.getLong("crail.seed", System.nanoTime());
    private final ProcessCluster cluster;
    private final CrailClient local;
    private final CrailClient remote;
    private final Sleeper sleeper;

    Rounds(Class<?> main, boolean sharedMemory, Path directory) throws IOException {
        cluster =
                ProcessCluster.builder()
                        .servers(1)
                        .capacity("32 MiB")
                        .set("namenode.heartbeat", "50 ms")
                        .set("namenode.lease.time", "300 ms")
                        // Of a client that could not say goodbye as the namenode was killed.
                        .set("namenode.session.timeout", "5 s")
                        .set("namenode.dead-server.time", "60 s")
                        .set("namenode.server-return.time", "60 s")
                        .start();
        local = cluster.client();
        remote = CrailClient.connect(cluster.clientConfig().sharedMemory(false).build());
        sleeper = new Sleeper(main, cluster, sharedMemory, directory);
    }

    /**
     * Session timeout to ask for: one that ends as the client sleeps, or one that does not, but
     * ends in time for the next round if the client could not say goodbye.
     */
    static int sessionMillis(boolean ends) {
        return ends ? 1_000 : 20_000;
    }

    ProcessCluster cluster() {
        return cluster;
    }

    Sleeper sleeper() {
        return sleeper;
    }

    /** One of the clients. */
    CrailClient any(Random random) {
        return random.nextBoolean() ? local : remote;
    }

    List<CrailClient> clients() {
        return List.of(local, remote);
    }

    void play(Round round) {
        for (int i = 0; i < ROUNDS; i++) {
            try {
                awaitNobodyElse();
                round.play(i, new Random(seed + i));
                awaitAllFree();
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "round " + i + " of seed " + seed + ": " + e + "\n" + cluster.logs(), e);
            }
        }
    }

    /** Waits until the sleeper's session has ended. */
    void awaitNobodyElse() {
        // The clients, and the one that asks.
        int sessions = clients().size() + 1;
        cluster.await(
                "the sleeper's session has ended",
                asked -> asked.statistics().sessions() == sessions);
    }

    static Statistics.Capacity bytes(CrailClient asked) throws CrailException {
        return asked.statistics().classes().get(0);
    }

    /** Waits until all that was freed is free, or held by somebody who may be sleeping. */
    void awaitRevoked() {
        cluster.await("nothing is being revoked", asked -> bytes(asked).revoking() == 0);
    }

    private void awaitAllFree() {
        cluster.await(
                "every block is free again",
                asked -> bytes(asked).capacity() == CAPACITY && bytes(asked).free() == CAPACITY);
    }

    @Override
    public void close() {
        sleeper.close();
        local.close();
        remote.close();
        cluster.close();
    }
}
