// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in processes of their own on the host of the storage server. */
@Tag("faults")
final class LocalClientsTest {
    private static final int LENGTH = 3_000_000;
    private static ProcessCluster cluster;

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = ProcessCluster.builder().start();
        try (CrailClient client = cluster.client()) {
            Payload.write(client, "/f", Payload.random(1, LENGTH));
        }
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private static void check(String copy) throws IOException {
        try (CrailClient client = cluster.client()) {
            assertThat(Payload.read(client, copy)).isEqualTo(Payload.random(1, LENGTH));
        }
    }

    @Test
    void aClientOfTheSameUserCopiesMemory() throws IOException {
        try (ClientProcess copier =
                ClientProcess.start(CopierMain.class, cluster.namenodeAddress(), "/f", "/mine")) {
            copier.awaitLine("tcp 0 shm " + LENGTH);
            assertThat(copier.awaitEnd()).isZero();
        }
        check("/mine");
    }

    @Test
    void aClientOfAnotherUserTakesTheNetwork(@TempDir Path readable) throws IOException {
        Assumptions.assumeTrue(ClientProcess.canStartAsNobody(), "needs root and setpriv");
        try (ClientProcess copier =
                ClientProcess.startAsNobody(
                        readable, CopierMain.class, cluster.namenodeAddress(), "/f", "/theirs")) {
            copier.awaitLine("tcp " + LENGTH + " shm 0");
            assertThat(copier.awaitEnd()).isZero();
        }
        check("/theirs");
    }

    @Test
    void aKilledClientHoldsNothingBack() throws IOException {
        try (CrailClient client = cluster.client();
                ClientProcess viewer =
                        ClientProcess.start(
                                ViewerMain.class, cluster.namenodeAddress(), "/viewed")) {
            Payload.write(client, "/viewed", Payload.random(2, LENGTH));
            viewer.awaitLine("viewing");
            client.delete("/viewed", false);
            cluster.await(
                    "the blocks of the view are quarantined",
                    c -> c.statistics().classes().get(0).quarantined() >= LENGTH);
            viewer.kill();
            cluster.await(
                    "they are free",
                    c -> {
                        var bytes = c.statistics().classes().get(0);
                        return bytes.quarantined() == 0 && bytes.revoking() == 0;
                    });
        }
    }

    /** Views a file as soon as it is there, and never ends. */
    static final class ViewerMain {
        private ViewerMain() {}

        public static void main(String[] args) throws Exception {
            CrailClient client = CrailClient.connect(ClientConfig.of(args[0]));
            while (client.lookup(args[1]).isEmpty() || client.status(args[1]).length() < LENGTH) {
                Thread.sleep(5); // A poll interval.
            }
            CrailFile file = client.open(args[1]);
            CrailView view = file.view(0, LENGTH);
            file.close();
            if (view.isZeroCopy()) {
                System.out.println("viewing");
            }
            Thread.sleep(600_000);
            view.close();
        }
    }
}
