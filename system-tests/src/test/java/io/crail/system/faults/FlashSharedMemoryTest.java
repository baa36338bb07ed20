// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.system.process.Ports;
import io.crail.system.process.ProcessCluster;
import io.crail.system.process.StatusPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients on the host of a flash server share memory with it, over its restarts, too. */
@Tag("faults")
@Timeout(120)
final class FlashSharedMemoryTest {
    private static final int FILES = 3;
    private static final int SIZE = 24 << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final String SHARED = "crail_storage_shared_memory_bytes_total";

    private final int statusPort;
    private final StatusPage status;

    FlashSharedMemoryTest() throws IOException {
        statusPort = Ports.free();
        status = new StatusPage(statusPort);
    }

    private ProcessCluster cluster(String shared) {
        return ProcessCluster.builder()
                .servers(0)
                .flash("192 MiB")
                .set("storage.nvmf.allocation", "sparse")
                .set("storage.nvmf.shared-memory", shared)
                .set("storage.status.bind.port", Integer.toString(statusPort))
                .start();
    }

    /** Files of queues that this process has mapped and whose names are gone. */
    private static List<String> mapped() throws IOException {
        List<String> found = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains("/nvmf/") && line.endsWith("(deleted)")) {
                found.add(line.substring(line.indexOf('/')));
            }
        }
        return found;
    }

    private static void writeAndRead(CrailClient client, String directory) throws IOException {
        client.mkdir(directory, CreateOptions.builder().storageClass(1).build());
        for (int file = 0; file < FILES; file++) {
            Payload.write(client, directory + "/" + file, Payload.random(file, SIZE));
        }
        read(client, directory);
    }

    private static void read(CrailClient client, String directory) throws IOException {
        for (int file = 0; file < FILES; file++) {
            assertThat(Payload.read(client, directory + "/" + file))
                    .isEqualTo(Payload.random(file, SIZE));
        }
    }

    @Test
    void dataGoesThroughItBeforeAndAfterAKill() throws IOException {
        List<String> others = mapped();
        try (ProcessCluster cluster = cluster("64 MiB");
                CrailClient client =
                        CrailClient.connect(cluster.clientConfig().deadline(DEADLINE).build())) {
            writeAndRead(client, "/d");
            List<String> first = mapped();
            first.removeAll(others);
            assertThat(first).isNotEmpty();
            assertThat(status.value(SHARED)).isBetween((long) SIZE, 2L * FILES * SIZE);
            cluster.killStorage(0);
            cluster.restartStorage(0);
            cluster.awaitLive(1);
            read(client, "/d");
            List<String> second = mapped();
            second.removeAll(others);
            second.removeAll(first);
            assertThat(second).as("mapped anew").isNotEmpty();
        }
    }

    @Test
    void withoutMemoryToShareAndForClientsWithoutItDataGoesThroughTheSocket() throws IOException {
        List<String> others = mapped();
        try (ProcessCluster cluster = cluster("0");
                CrailClient client =
                        CrailClient.connect(cluster.clientConfig().deadline(DEADLINE).build())) {
            writeAndRead(client, "/d");
            assertThat(status.value(SHARED)).isZero();
        }
        try (ProcessCluster cluster = cluster("64 MiB");
                CrailClient client =
                        CrailClient.connect(
                                cluster.clientConfig()
                                        .sharedMemory(false)
                                        .deadline(DEADLINE)
                                        .build())) {
            writeAndRead(client, "/d");
            assertThat(status.value(SHARED)).isZero();
        }
        assertThat(others).containsAll(mapped());
    }
}
