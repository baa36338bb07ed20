// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Handles come back soon after they are closed, however long the keep-alive's interval is. */
@Tag("system")
final class HandlesTest {
    @Test
    void aRemovedFilesBlocksAreFreeSoonAfterItWasReadAndClosed() throws IOException {
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .servers(1)
                                .capacity("64 MiB")
                                .set("namenode.lease.time", "600 s")
                                .set("namenode.session.timeout", "600 s")
                                .start();
                CrailClient client = cluster.client().withDeadline(Duration.ofSeconds(20))) {
            byte[] bytes = Payload.random(1, 40 << 20);
            for (int i = 0; i < 3; i++) {
                Payload.write(client, "/f", bytes);
                assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
                client.delete("/f", false);
                cluster.await(
                        "the file's blocks are free",
                        c -> c.statistics().classes().get(0).free() == 64 << 20);
            }
        }
    }

    /** More than the handles of one session at a time; so they must be closed on the way. */
    @Test
    void aSessionMayOpenAndCloseAnyNumberOfFiles() throws IOException {
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .servers(1)
                                .set("namenode.lease.time", "600 s")
                                .set("namenode.session.timeout", "600 s")
                                .start();
                CrailClient client = cluster.client()) {
            Payload.write(client, "/f", Payload.text("x"));
            for (int i = 0; i < 70_000; i++) {
                try (CrailFile file = client.open("/f")) {
                    assertThat(file.length()).isEqualTo(1);
                }
            }
        }
    }
}
