// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.Allocation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks in a namespace of a target that knows nothing of them: ours, run as a mere target. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class ExternalTargetTest {
    private static final String NQN = "nqn.2026-11.example:mere";
    private static final int MIB = 1 << 20;
    private static final int MEMORY = 16 * MIB;

    private static final int FLASH = 20 * MIB;

    /** What is left of it beside checksums. */
    private static final int DATA = 18 * MIB;

    @TempDir Path directory;
    private NvmeTarget target;
    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(directory.resolve("image"), FLASH)
                        .withAllocation(Allocation.SPARSE);
        target =
                NvmeTarget.start(
                        TargetConfig.builder(NQN, namespace)
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .anyHost(true)
                                .build());
        cluster = EmbeddedCluster.builder().capacity(MEMORY).segmentSize(MEMORY).start();
        int port = target.address().getPort();
        cluster.addServer(
                server ->
                        server.tier("nvmf")
                                .storageClass(1)
                                .tierOption("target", "tcp:127.0.0.1:" + port)
                                .tierOption("nqn", NQN)
                                .tierOption("namespace", "1"));
        client = cluster.connect();
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        cluster.close();
        target.close();
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static CreateOptions checksums(boolean on) {
        return CreateOptions.builder().checksums(on).build();
    }

    private void write(String path, byte[] content, CreateOptions options) throws IOException {
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
    }

    private static byte[] read(CrailClient reader, String path) throws IOException {
        try (CrailFile file = reader.open(path)) {
            byte[] content = new byte[(int) file.length()];
            file.readFully(0, ByteBuffer.wrap(content));
            return content;
        }
    }

    private long free() throws IOException {
        return client.statistics().servers().stream().mapToLong(each -> each.free()).sum();
    }

    private void isClean() throws IOException {
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
    }

    @ParameterizedTest(name = "checksums {0}")
    @ValueSource(booleans = {true, false})
    void filesAreWrittenAndReadBackByAnotherHost(boolean checksums) throws IOException {
        byte[] content = random(1, 5 * MIB + 12_345);
        write("/flash/f", content, checksums(checksums));
        try (CrailClient other = cluster.connect()) {
            assertThat(read(other, "/flash/f")).isEqualTo(content);
        }
        isClean();
    }

    /** More than twice as much as there is room for: blocks must come back. */
    @Test
    void blocksOfDeletedFilesAreUsedAgain() throws IOException {
        for (int round = 0; round < 4; round++) {
            byte[] content = random(round, 11 * MIB + round);
            write("/flash/f", content, checksums(round % 2 == 0));
            assertThat(read(client, "/flash/f")).isEqualTo(content);
            client.delete("/flash/f", false);
            await().untilAsserted(() -> assertThat(free()).isEqualTo(MEMORY + DATA));
        }
        isClean();
    }
}
