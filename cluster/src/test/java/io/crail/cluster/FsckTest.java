// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.audit.AuditReport;
import io.crail.client.audit.Finding;
import io.crail.error.CrailException;
import io.crail.namenode.Damage;
import io.crail.protocol.block.BlockId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The check of a cluster that works, whole and damaged. */
@Timeout(120)
class FsckTest {
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws CrailException {
        cluster =
                EmbeddedCluster.builder()
                        .servers(2)
                        .capacity(64 << 20)
                        .segmentSize(64 << 20)
                        .start();
        client = cluster.connect();
    }

    @AfterEach
    void stop() throws CrailException {
        client.close();
        cluster.close();
    }

    private AuditReport check() throws CrailException {
        return client.admin().check(null, looks -> {});
    }

    private int firstServer() throws CrailException {
        return client.statistics().servers().get(0).id();
    }

    private void write(String path, int length) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(new byte[length]);
        }
    }

    @Test
    void aClusterThatWorksIsCleanWheneverItIsChecked()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        write("/stays", 3_000_000);
        ExecutorService busy = Executors.newSingleThreadExecutor();
        AtomicBoolean done = new AtomicBoolean();
        try {
            Future<?> changes =
                    busy.submit(
                            () -> {
                                CrailTable table = client.createTable("/t");
                                byte[] key = "k".getBytes(StandardCharsets.UTF_8);
                                for (int i = 0; !done.get(); i++) {
                                    write("/f" + i % 7, 1 + i * 37_111 % 700_000);
                                    table.put(key, new byte[1 + i * 7_919 % 90_000]);
                                    client.delete("/f" + i % 7, false);
                                }
                                return null;
                            });
            for (int i = 0; i < 50; i++) {
                AuditReport report = check();
                assertThat(report.findings()).isEmpty();
                assertThat(report.isClean()).as("unchecked: %s", report.unchecked()).isTrue();
                assertThat(report.servers()).isEqualTo(2);
                assertThat(report.blocks()).isPositive();
            }
            done.set(true);
            changes.get(60, TimeUnit.SECONDS);
        } finally {
            done.set(true);
            busy.shutdownNow();
        }
    }

    @Test
    void blocksThatNobodyHasAreFound() throws IOException {
        write("/f", 3_000_000);
        for (boolean committed : new boolean[] {true, false}) {
            BlockId id = Damage.orphan(cluster.namenodeServer(), firstServer(), 4096, committed);
            AuditReport report = check();
            assertThat(report.isClean()).isFalse();
            assertThat(report.findings())
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.kind()).isEqualTo(Finding.Kind.ORPHAN_BLOCK);
                                assertThat(finding.block()).isEqualTo(id);
                                assertThat(finding.length()).isEqualTo(4096);
                                assertThat(finding.text())
                                        .contains(committed ? "committed" : "granted");
                            });
            assertThat(client.admin().check("/f", looks -> {}).isClean()).isTrue();
            assertThat(client.admin().repair(report.findings().get(0))).isTrue();
            assertThat(client.admin().repair(report.findings().get(0))).isFalse();
            assertThat(check().isClean()).isTrue();
            cluster.restartNamenode(); // It never was in the log.
            assertThat(check().isClean()).isTrue();
        }
    }
}
