// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.system.process.ProcessCluster;
import io.crail.system.process.Threads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that look for requests before they sleep, or do not, as they are told. */
@Tag("faults")
@Timeout(120)
final class BusyPollTest {
    private static final int CALLS = 3_000;
    private static final int SAMPLES = 100;

    private static ProcessCluster start(boolean busyPoll) {
        String value = Boolean.toString(busyPoll);
        return ProcessCluster.builder()
                .servers(1)
                .set("namenode.busy-poll", value)
                .set("storage.busy-poll", value)
                .start();
    }

    private static CrailClient connect(ProcessCluster cluster, boolean busyPoll)
            throws IOException {
        return CrailClient.connect(
                cluster.clientConfig()
                        .sharedMemory(false)
                        .unixSocket(false)
                        .busyPoll(busyPoll)
                        .build());
    }

    /** How often the namenode goes to sleep meanwhile. */
    private static long sleepsWhileLookingUp(ProcessCluster cluster, CrailClient client)
            throws IOException {
        Threads loops = cluster.namenodeLoops();
        long before = loops.sleeps();
        for (int i = 0; i < CALLS; i++) {
            client.ping();
        }
        return loops.sleeps() - before;
    }

    /** How often the storage server goes to sleep meanwhile. */
    private static long sleepsWhileReading(ProcessCluster cluster, CrailClient client)
            throws IOException {
        if (client.lookup("/f").isEmpty()) {
            try (CrailOutputStream out = client.createFile("/f")) {
                out.append(ByteBuffer.allocateDirect(64 << 10));
            }
        }
        Threads loops = cluster.storageLoops(0);
        ByteBuffer target = ByteBuffer.allocateDirect(4096);
        try (CrailFile file = client.open("/f")) {
            long before = loops.sleeps();
            for (int i = 0; i < CALLS; i++) {
                file.read(0, target.clear());
            }
            return loops.sleeps() - before;
        }
    }

    /** Looking has an end: a thread that looked on would run, whenever it is looked at. */
    private static void assertSleeps(Threads loops) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            int asleep = 0;
                            for (int i = 0; i < SAMPLES; i++) {
                                asleep += loops.sleep() ? 1 : 0;
                            }
                            return asleep >= SAMPLES * 9 / 10;
                        });
    }

    @Test
    void serversThatShallNotLookSleepBeforeEachRequest() throws IOException {
        try (ProcessCluster cluster = start(false);
                CrailClient client = connect(cluster, false)) {
            // Where both sides share a core, the next request may be there before the server is:
            // then the machine is too busy to tell, and is asked again.
            Awaitility.await().until(() -> sleepsWhileLookingUp(cluster, client) > CALLS / 4);
            Awaitility.await().until(() -> sleepsWhileReading(cluster, client) > CALLS / 4);
        }
    }

    @Test
    void serversThatLookSleepWhenNobodyAsks() throws IOException {
        try (ProcessCluster cluster = start(true);
                CrailClient client = connect(cluster, true)) {
            sleepsWhileLookingUp(cluster, client);
            sleepsWhileReading(cluster, client);
            assertSleeps(cluster.namenodeLoops());
            assertSleeps(cluster.storageLoops(0));
        }
    }
}
