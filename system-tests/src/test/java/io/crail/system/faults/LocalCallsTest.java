// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients in processes of their own on the host of the namenode. */
@Tag("faults")
final class LocalCallsTest {
    private final ProcessCluster cluster = ProcessCluster.builder().servers(1).start();

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    private static Path socket(CrailClient client) throws IOException {
        client.ping();
        Path socket = Path.of(client.clientStatistics().namenode());
        assertThat(socket).hasFileName(LocalEndpoint.SOCKET).exists();
        return socket;
    }

    private static void isOverTheNetwork(CrailClient client) throws IOException {
        client.ping();
        assertThat(client.clientStatistics().namenode()).startsWith("127.0.0.1:");
    }

    @Test
    void aClientOfTheSameUserGoesOverTheSocket() throws IOException {
        try (CrailClient client = cluster.client();
                CrailClient network =
                        CrailClient.connect(cluster.clientConfig().unixSocket(false).build())) {
            client.mkdir("/a");
            Path socket = socket(client);
            isOverTheNetwork(network);
            assertThat(network.lookup("/a")).isPresent();
            assertThat(cluster.stopNamenode()).as("ended by SIGTERM").isEqualTo(128 + 15);
            assertThat(socket.getParent()).doesNotExist();
        }
    }

    @Test
    void aClientOfAnotherUserTakesTheNetwork(@TempDir Path readable) throws IOException {
        Assumptions.assumeTrue(ClientProcess.canStartAsNobody(), "needs root and setpriv");
        try (ClientProcess ours =
                        ClientProcess.start(MakerMain.class, cluster.namenodeAddress(), "/ours");
                ClientProcess theirs =
                        ClientProcess.startAsNobody(
                                readable, MakerMain.class, cluster.namenodeAddress(), "/theirs")) {
            ours.awaitLine("over a socket");
            theirs.awaitLine("over " + cluster.namenodeAddress());
            assertThat(ours.awaitEnd()).isZero();
            assertThat(theirs.awaitEnd()).isZero();
        }
        try (CrailClient client = cluster.client()) {
            assertThat(client.lookup("/ours")).isPresent();
            assertThat(client.lookup("/theirs")).isPresent();
        }
    }

    @Test
    void aKilledNamenodeIsFoundAtItsNewSocketInTheSameSession() throws IOException {
        try (CrailClient client = cluster.client()) {
            Path socket = socket(client);
            for (int life = 0; life < 3; life++) {
                client.mkdir("/before-" + life);
                byte[] cookie = Files.readAllBytes(socket.resolveSibling(LocalEndpoint.COOKIE));
                cluster.killNamenode();
                assertThat(socket).as("what a killed namenode leaves").exists();
                cluster.restartNamenode();
                assertThat(client.lookup("/before-" + life)).isPresent();
                assertThat(socket(client)).isEqualTo(socket);
                assertThat(Files.readAllBytes(socket.resolveSibling(LocalEndpoint.COOKIE)))
                        .isNotEqualTo(cookie);
            }
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
        }
    }

    @Test
    void aSocketThatSomebodyRemovedIsDoneWithout() throws IOException {
        try (CrailClient first = cluster.client()) {
            Path socket = socket(first);
            Files.delete(socket);
            first.mkdir("/a");
            assertThat(socket.getParent()).exists();
            try (CrailClient second = cluster.client()) {
                isOverTheNetwork(second);
                assertThat(second.lookup("/a")).isPresent();
            }
            cluster.killNamenode();
            cluster.restartNamenode();
            assertThat(first.lookup("/a")).isPresent();
            assertThat(socket(first)).isEqualTo(socket);
        }
    }

    /** Makes a directory and says over what. */
    static final class MakerMain {
        private MakerMain() {}

        public static void main(String[] args) throws IOException {
            try (CrailClient client = CrailClient.connect(ClientConfig.of(args[0]))) {
                client.mkdir(args[1]);
                String namenode = client.clientStatistics().namenode();
                System.out.println("over " + (namenode.startsWith("/") ? "a socket" : namenode));
            }
        }
    }
}
