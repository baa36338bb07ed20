// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.error.OutOfSpaceException;
import io.crail.namenode.log.Durability;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EmbeddedClusterTest {
    private static final int SEGMENT = 8 << 20;

    private static EmbeddedClusterConfig.Builder small() {
        return EmbeddedCluster.builder().capacity(SEGMENT).segmentSize(SEGMENT);
    }

    @Test
    void aClusterStoresFilesAndValues() throws IOException {
        byte[] content = new byte[3 << 20];
        new Random(1).nextBytes(content);
        try (EmbeddedCluster cluster = small().servers(2).start();
                CrailClient client = cluster.connect()) {
            try (CrailOutputStream out = client.createFile("/file")) {
                out.write(content);
            }
            assertThat(read(client, "/file")).isEqualTo(content);
            CrailTable table = client.createTable("/table");
            byte[] key = "key".getBytes(StandardCharsets.UTF_8);
            table.put(key, content);
            assertThat(table.get(key).orElseThrow().toByteArray()).isEqualTo(content);
        }
    }

    @Test
    void allCapacityIsOnOfferFromTheStart() throws IOException {
        try (EmbeddedCluster cluster = small().servers(3).start()) {
            Statistics.Reply statistics = cluster.client().statistics();
            assertThat(statistics.classes().get(0).free()).isEqualTo(3L * SEGMENT);
            assertThat(statistics.servers()).hasSize(3);
        }
    }

    @Test
    void severalClustersLiveSideBySide() throws IOException {
        try (EmbeddedCluster one = small().start();
                EmbeddedCluster two = small().durability(Durability.NONE).start()) {
            one.client().mkdir("/only-here");
            assertThat(two.client().lookup("/only-here")).isEmpty();
            assertThat(one.namenode()).isNotEqualTo(two.namenode());
        }
    }

    @Test
    void closingRemovesAllFilesAndIsIdempotent() throws IOException {
        EmbeddedCluster cluster = small().start();
        Path data = cluster.storage(0).directory();
        CrailClient client = cluster.client();
        assertThat(data).exists();
        cluster.close();
        cluster.close();
        assertThat(data.getParent()).doesNotExist();
        assertThatThrownBy(client::ping).isInstanceOf(IOException.class);
    }

    @Test
    void theNamenodeKeepsEverythingOverARestart() throws IOException {
        try (EmbeddedCluster cluster = small().start()) {
            CrailClient client = cluster.client();
            try (CrailOutputStream out = client.createFile("/file")) {
                out.write("content".getBytes(StandardCharsets.UTF_8));
            }
            cluster.restartNamenode();
            assertThat(read(client, "/file")).isEqualTo("content".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aStorageServerKeepsItsDataOverARestart() throws IOException {
        try (EmbeddedCluster cluster = small().start()) {
            CrailClient client = cluster.client();
            try (CrailOutputStream out = client.createFile("/file")) {
                out.write("content".getBytes(StandardCharsets.UTF_8));
            }
            cluster.restartStorage(0);
            assertThat(read(client, "/file")).isEqualTo("content".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void aServerMayJoinLater() throws IOException {
        try (EmbeddedCluster cluster = small().servers(0).start()) {
            CrailClient client = cluster.client();
            assertThatThrownBy(
                            () -> {
                                try (CrailOutputStream out = client.createFile("/early")) {
                                    out.write(new byte[1 << 20]);
                                }
                            })
                    .isInstanceOf(OutOfSpaceException.class);
            assertThat(cluster.addServer()).isZero();
            try (CrailOutputStream out = client.createFile("/late")) {
                out.write(new byte[1 << 20]);
            }
            assertThat(client.status("/late").length()).isEqualTo(1 << 20);
        }
    }

    @Test
    void theInlineLimitDecidesWhereValuesAre() throws IOException {
        try (EmbeddedCluster cluster = small().inlineLimit(0).start()) {
            CrailClient client = cluster.client();
            client.createTable("/table").put(new byte[] {1}, new byte[100]);
            assertThat(client.statistics().inlineBytes()).isZero();
            assertThat(client.summary("/table").allocated()).isPositive();
        }
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> EmbeddedCluster.builder().servers(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EmbeddedCluster.builder().capacity(1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            ByteBuffer content = ByteBuffer.allocate((int) file.length());
            file.readFully(0, content);
            return content.array();
        }
    }
}
