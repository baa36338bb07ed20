// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.audit.AuditReport;
import io.crail.client.audit.Finding;
import io.crail.error.CrailException;
import io.crail.protocol.message.ServerState;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A check of both sides of a cluster of processes under load, of which one is killed. */
@Tag("system")
@Timeout(180)
final class FsckTest {
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong();

    @Test
    void losesNothingFindsLossAndIsCleanWhenTheServerIsBack() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ProcessCluster cluster = ProcessCluster.builder().servers(2).start();
                CrailClient client = cluster.client()) {
            try (CrailOutputStream out = client.createFile("/stays")) {
                out.write(new byte[12 << 20]);
            }
            client.createTable("/t");
            Future<?> mapped = threads.submit(() -> work(cluster, true));
            Future<?> remote = threads.submit(() -> work(cluster, false));
            awaitProgress(300);
            for (int i = 0; i < 20; i++) {
                assertClean(client, cluster);
            }
            cluster.killStorage(0);
            cluster.await("a dead server", FsckTest::hasDeadServer);
            AuditReport lost = client.admin().check(null, looks -> {});
            assertThat(lost.isClean()).isFalse();
            assertThat(lost.count(Finding.Kind.LOST_EXTENT)).isPositive();
            assertThat(lost.findings())
                    .allMatch(finding -> finding.kind() == Finding.Kind.LOST_EXTENT)
                    .anyMatch(finding -> finding.path().equals("/stays"));
            cluster.restartStorage(0);
            cluster.awaitLive(2);
            awaitProgress(300);
            assertClean(client, cluster);
            stop.set(true);
            mapped.get(60, TimeUnit.SECONDS);
            remote.get(60, TimeUnit.SECONDS);
            assertClean(client, cluster);
        } finally {
            stop.set(true);
            threads.shutdownNow();
        }
    }

    private static void assertClean(CrailClient client, ProcessCluster cluster)
            throws CrailException {
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).as(cluster::logs).isEmpty();
        assertThat(report.unchecked()).as(cluster::logs).isEmpty();
        assertThat(report.servers()).isEqualTo(2);
    }

    private static boolean hasDeadServer(CrailClient client) throws CrailException {
        return client.statistics().servers().stream()
                .anyMatch(server -> server.state() == ServerState.DEAD.wire());
    }

    private void awaitProgress(long more) throws InterruptedException {
        long until = written.get() + more;
        while (written.get() < until && !stop.get()) {
            Thread.sleep(5); // A poll interval; the timeout of the test is the bound.
        }
    }

    private Void work(ProcessCluster cluster, boolean sharedMemory) throws Exception {
        Random random = new Random(7);
        try (CrailClient client =
                CrailClient.connect(cluster.clientConfig().sharedMemory(sharedMemory).build())) {
            CrailTable table = client.table("/t");
            while (!stop.get()) {
                byte[] key = {(byte) random.nextInt(40)};
                try {
                    step(client, table, key, random, sharedMemory);
                    written.incrementAndGet();
                } catch (CrailException e) {
                    // What is answered while a server is away.
                    assertThat(e.getMessage()).isNotEmpty();
                }
            }
        }
        return null;
    }

    private static void step(
            CrailClient client, CrailTable table, byte[] key, Random random, boolean first)
            throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> table.put(key, new byte[1 + random.nextInt(300_000)]);
            case 1 -> {
                Optional<CrailView> view = table.getView(key);
                table.remove(key);
                view.ifPresent(CrailView::close);
            }
            case 2 -> table.get(key);
            default -> {
                String path = "/file-" + first;
                if (client.lookup(path).isPresent()) {
                    client.delete(path, false);
                }
                try (CrailOutputStream out = client.createFile(path)) {
                    out.write(new byte[1 + random.nextInt(2_000_000)]);
                }
            }
        }
    }
}
