// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.cli.Main;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.local.ReadyLine;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.BusyException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A target that knows no blocks, in a process of its own: clients and it are stopped and killed.
 */
@Tag("faults")
@Timeout(300)
@SuppressWarnings("NullAway.Init") // Started before each test.
final class ExternalTargetFaultsTest {
    private static final int MIB = 1 << 20;
    private static final int FLASH = 28 * MIB;
    private static final String NQN = "nqn.2026-11.example:faults";

    @TempDir Path directory;
    private int port;
    private ClientProcess target;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        port = Ports.free();
        target = target();
        cluster =
                EmbeddedCluster.builder()
                        .capacity(MIB)
                        .segmentSize(MIB)
                        .namenode(
                                namenode ->
                                        namenode.sessionTimeout(Duration.ofSeconds(5))
                                                .leaseTime(Duration.ofSeconds(2)))
                        .start();
        cluster.addServer(
                server ->
                        server.tier("nvmf")
                                .storageClass(1)
                                .tierOption("target", "tcp:127.0.0.1:" + port)
                                .tierOption("nqn", NQN)
                                .tierOption("namespace", "1")
                                .tierOption("keep_alive_millis", "3000"));
        client = cluster.connect();
        makeFlash();
    }

    private void makeFlash() throws IOException {
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    private ClientProcess target() {
        ClientProcess started =
                ClientProcess.start(
                        Main.class,
                        "nvmf",
                        "target",
                        "--file=" + directory.resolve("image"),
                        "--size=" + FLASH,
                        "--port=" + port,
                        "--nqn=" + NQN,
                        "--any-host");
        started.awaitLine(ReadyLine.of("nvmf target", "127.0.0.1:" + port));
        return started;
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
        target.close();
    }

    private void write(String path, byte[] content) throws IOException {
        CreateOptions options = CreateOptions.builder().checksums(false).build();
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
    }

    private boolean isAllFree() throws IOException {
        return client.statistics().servers().stream()
                .allMatch(each -> each.free() == each.capacity());
    }

    /** It is stopped between any two instructions, with writes of freed blocks before it. */
    @Test
    void aStoppedWriterDoesNotHarmThoseWhoGotItsBlocks() throws IOException {
        try (ClientProcess writer =
                ClientProcess.start(EndlessWriterMain.class, cluster.namenode(), "/flash/w")) {
            writer.awaitLine("written");
            writer.awaitLine("written");
            writer.pause();
            client.delete("/flash", true);
            await().untilAsserted(() -> assertThat(isAllFree()).isTrue());
            makeFlash();
            byte[] content = Payload.random(1, 24 * MIB);
            write("/flash/f", content);
            writer.resume();
            while (!writer.awaitLine().startsWith("ended")) {
                // What it had under way may have succeeded elsewhere.
            }
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
        }
    }

    @Test
    void aTargetThatIsKilledShowsAsABoundedErrorAndGoesOnWhenItIsBack() throws IOException {
        byte[] content = Payload.random(2, 3 * MIB);
        write("/flash/f", content);
        target.kill();
        assertThatThrownBy(() -> Payload.read(client, "/flash/f"))
                .isInstanceOfAny(
                        ServerLostException.class, BusyException.class, TimeoutException.class)
                .hasMessageContaining("storage server");
        target = target();
        assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
        client.delete("/flash/f", false);
        await().untilAsserted(() -> assertThat(isAllFree()).isTrue());
        byte[] more = Payload.random(3, 20 * MIB);
        write("/flash/g", more);
        assertThat(Payload.read(client, "/flash/g")).isEqualTo(more);
    }

    @Test
    void aTargetThatIsStoppedForAWhileLosesNothing() throws IOException {
        byte[] content = Payload.random(4, 6 * MIB);
        write("/flash/f", content);
        target.pause();
        target.resume();
        assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
        write("/flash/g", content);
        assertThat(Payload.read(client, "/flash/g")).isEqualTo(content);
    }
}
