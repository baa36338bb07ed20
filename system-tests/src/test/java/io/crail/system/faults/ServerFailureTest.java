// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers that are killed, restarted, disturbed: actions that stopped the predecessor's store. */
@Tag("faults")
final class ServerFailureTest {
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private ProcessCluster cluster(int servers) {
        ProcessCluster cluster =
                ProcessCluster.builder()
                        .servers(servers)
                        .set("namenode.dead-server.time", "3 s")
                        .set("namenode.heartbeat", "200 ms")
                        .start();
        open.add(cluster);
        return cluster;
    }

    private CrailClient client(ProcessCluster cluster) throws CrailException {
        CrailClient client = cluster.client();
        open.add(client);
        return client;
    }

    @Test
    void readsOfAKilledServersBlocksFailByNameWithinTheDeadline() throws IOException {
        ProcessCluster cluster = cluster(1);
        CrailClient client = client(cluster);
        byte[] bytes = Payload.random(1, 3_000_000);
        Payload.write(client, "/f", bytes);
        assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
        cluster.killStorage(0);
        // What is mapped can be read until the client has noticed.
        Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThatThrownBy(() -> Payload.read(client, "/f"))
                                        .isInstanceOf(ServerLostException.class)
                                        .hasMessageContaining("/f")
                                        .hasMessageContaining("storage server 1"));

        try (CrailClient fresh = cluster.client().withDeadline(Duration.ofSeconds(10))) {
            assertThat(fresh.lookup("/f")).isPresent();
            assertThatThrownBy(() -> Payload.read(fresh, "/f"))
                    .isInstanceOf(ServerLostException.class);
            assertThatThrownBy(() -> Payload.write(fresh, "/new", bytes))
                    .isInstanceOf(CrailException.class);
            assertThat(fresh.lookup("/new")).isEmpty();
        }
    }

    @Test
    void writesUseTheServersThatAreLeft() throws IOException {
        ProcessCluster cluster = cluster(2);
        CrailClient client = client(cluster);
        Payload.write(client, "/before", Payload.random(1, 3_000_000));
        cluster.killStorage(1);
        byte[] bytes = Payload.random(2, 5_000_000);
        Payload.write(client, "/after", bytes);
        assertThat(Payload.read(client, "/after")).isEqualTo(bytes);
    }

    @Test
    void aRestartedStorageServerStillHasItsData() throws IOException {
        ProcessCluster cluster = cluster(1);
        CrailClient client = client(cluster);
        byte[] bytes = Payload.random(3, 10_000_000);
        Payload.write(client, "/f", bytes);
        cluster.killStorage(0);
        cluster.restartStorage(0);
        cluster.awaitLive(1);
        assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
        Payload.write(client, "/g", bytes);
        assertThat(Payload.read(client, "/g")).isEqualTo(bytes);
    }

    @Test
    void aKilledNamenodeComesBackWithEverythingAcknowledged() throws IOException {
        ProcessCluster cluster = cluster(2);
        CrailClient client = client(cluster);
        byte[] bytes = Payload.random(4, 4_000_000);
        Payload.write(client, "/f", bytes);
        CrailTable table = client.createTable("/t");
        for (int i = 0; i < 500; i++) {
            table.put(Payload.text("key-" + i), Payload.text("value-" + i));
        }
        cluster.killNamenode();
        cluster.restartNamenode();
        // The same client, without being told: it reconnects and resumes its session.
        assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
        for (int i = 0; i < 500; i++) {
            assertThat(table.get(Payload.text("key-" + i)).orElseThrow().toByteArray())
                    .isEqualTo(Payload.text("value-" + i));
        }
        cluster.awaitLive(2);
        Payload.write(client, "/g", bytes);
        assertThat(Payload.read(client, "/g")).isEqualTo(bytes);
    }

    @Test
    void aStreamGoesOnOverARestartOfTheNamenode() throws IOException {
        ProcessCluster cluster = cluster(1);
        CrailClient client = client(cluster);
        byte[] first = Payload.random(5, 2_500_000);
        byte[] second = Payload.random(6, 2_500_000);
        try (CrailOutputStream out = client.createFile("/f")) {
            out.write(first);
            out.sync();
            cluster.killNamenode();
            cluster.restartNamenode();
            out.write(second);
        }
        byte[] all = new byte[first.length + second.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        assertThat(Payload.read(client, "/f")).isEqualTo(all);
    }

    @Test
    void strangersAtThePortsDisturbNobody() throws IOException {
        ProcessCluster cluster = cluster(1);
        CrailClient client = client(cluster);
        for (String address : List.of(cluster.namenodeAddress(), cluster.storageAddress(0))) {
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            for (int i = 0; i < 5; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(15_000);
                    OutputStream out = socket.getOutputStream();
                    out.write(
                            "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nX: 0123456789\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    InputStream in = socket.getInputStream();
                    assertThat(readsUntilClosed(in)).isTrue();
                }
            }
        }
        byte[] bytes = Payload.random(7, 2_000_000);
        Payload.write(client, "/f", bytes);
        assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
    }

    private static boolean readsUntilClosed(InputStream in) {
        try {
            byte[] buffer = new byte[1024];
            while (in.read(buffer) >= 0) {
                // Whatever the server says before it hangs up.
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // Reset: closed all the same.
        }
    }

    @Test
    void aStalledFrameHoldsUpNobodyElse() throws IOException {
        ProcessCluster cluster = cluster(1);
        CrailClient client = client(cluster);
        List<Socket> stalled = new ArrayList<>();
        for (String address : List.of(cluster.namenodeAddress(), cluster.storageAddress(0))) {
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            open.add(socket);
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(new byte[] {64, 0, 0, 0});
            socket.getOutputStream().flush();
            stalled.add(socket);
        }
        byte[] bytes = Payload.random(8, 2_000_000);
        Payload.write(client, "/f", bytes);
        assertThat(Payload.read(client, "/f")).isEqualTo(bytes);
        for (Socket socket : stalled) {
            assertThat(readsUntilClosed(socket.getInputStream())).isTrue();
        }
    }
}
