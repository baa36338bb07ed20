// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server of flash that is killed, and one whose client was written to meanwhile. */
@Tag("faults")
@Timeout(300)
final class FlashFaultsTest {
    private static final int MIB = 1 << 20;

    private static ProcessCluster start() {
        return ProcessCluster.builder()
                .servers(1)
                .capacity("16 MiB")
                .flash("96 MiB")
                .set("storage.nvmf.allocation", "sparse")
                .start();
    }

    private static void isClean(CrailClient client) throws CrailException {
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
    }

    private static void makeFlash(CrailClient client) throws CrailException {
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    @Test
    void whatWasCommittedOutlivesAKillOfTheServer() throws IOException {
        try (ProcessCluster cluster = start();
                CrailClient client = cluster.client()) {
            makeFlash(client);
            byte[] first = Payload.random(1, 20 * MIB + 77);
            Payload.write(client, "/flash/first", first);
            Payload.write(client, "/flash/gone", Payload.random(2, 9 * MIB));
            client.delete("/flash/gone", false);
            cluster.killStorage(1);
            cluster.restartStorage(1);
            cluster.awaitLive(2);
            assertThat(Payload.read(client, "/flash/first")).isEqualTo(first);
            byte[] second = Payload.random(3, 30 * MIB + 5);
            Payload.write(client, "/flash/second", second);
            assertThat(Payload.read(client, "/flash/second")).isEqualTo(second);
            assertThat(Payload.read(client, "/flash/first")).isEqualTo(first);
            isClean(client);
        }
    }

    @Test
    void aStreamGoesOnWhereTheServerWasKilledUnderIt() throws IOException {
        try (ProcessCluster cluster = start();
                CrailClient client = cluster.client()) {
            makeFlash(client);
            byte[] content = Payload.random(4, 12 * MIB + 1234);
            int synced = 5 * MIB + 777;
            try (CrailOutputStream out = client.createFile("/flash/f")) {
                out.write(content, 0, synced);
                out.sync();
                cluster.killStorage(1);
                cluster.restartStorage(1);
                cluster.awaitLive(2);
                out.write(content, synced, content.length - synced);
            }
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
            isClean(client);
        }
    }

    @Test
    void readsOfAKilledServerFailAndSayWhichOne() throws IOException {
        try (ProcessCluster cluster = start();
                CrailClient client = cluster.client()) {
            makeFlash(client);
            byte[] content = Payload.random(5, 3 * MIB);
            Payload.write(client, "/flash/f", content);
            cluster.killStorage(1);
            assertThatThrownBy(() -> Payload.read(client, "/flash/f"))
                    .isInstanceOfAny(ServerLostException.class, BusyException.class)
                    .hasMessageContaining("/flash/f")
                    .hasMessageContaining("storage server");
            cluster.restartStorageElsewhere(1);
            cluster.awaitLive(2);
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
        }
    }

    /** Stopped, not dead: its connections stand, and what it does when it goes on must be right. */
    @Test
    void aServerThatWasStoppedForAWhileLosesNothing() throws IOException {
        try (ProcessCluster cluster = start();
                CrailClient client = cluster.client()) {
            makeFlash(client);
            byte[] content = Payload.random(6, 6 * MIB);
            Payload.write(client, "/flash/f", Arrays.copyOf(content, MIB));
            cluster.pauseStorage(1);
            cluster.resumeStorage(1);
            try (CrailOutputStream out = client.append("/flash/f")) {
                out.write(content, MIB, content.length - MIB);
            }
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
            isClean(client);
        }
    }
}
