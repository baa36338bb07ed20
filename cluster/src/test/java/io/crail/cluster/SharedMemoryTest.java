// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientConfig;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clients in the process of the storage servers, over their memory. */
class SharedMemoryTest {
    private static final int SEGMENT = 16 << 20;
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    private static EmbeddedCluster start() throws IOException {
        return EmbeddedCluster.builder().capacity(SEGMENT).segmentSize(SEGMENT).start();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static void write(CrailClient client, String path, byte[] content) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(content);
        }
    }

    private static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            ByteBuffer target = ByteBuffer.allocate((int) file.length());
            file.readFully(0, target);
            return target.array();
        }
    }

    @Test
    void allBytesGoThroughMemoryWithoutBeingAskedTo() throws IOException {
        byte[] content = bytes(3_333_333);
        try (EmbeddedCluster cluster = start();
                CrailClient client = cluster.connect()) {
            write(client, "/file", content);
            assertThat(read(client, "/file")).isEqualTo(content);
            CrailTable table = client.createTable("/table");
            table.put(KEY, content);
            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(content);

            ClientStatistics statistics = client.clientStatistics();
            assertThat(statistics.over("shm").bytesWritten()).isEqualTo(2L * content.length);
            assertThat(statistics.over("shm").bytesRead())
                    .isGreaterThanOrEqualTo(2L * content.length);
            assertThat(statistics.over("tcp")).isEqualTo(new ClientStatistics.Moved(0, 0, 0));
        }
    }

    @Test
    void aClientThatMayNotUseMemoryTakesTheNetwork() throws IOException {
        byte[] content = bytes(333_333);
        try (EmbeddedCluster cluster = start();
                CrailClient client =
                        CrailClient.connect(
                                ClientConfig.builder()
                                        .namenodes(List.of(cluster.namenode()))
                                        .sharedMemory(false)
                                        .build())) {
            write(client, "/file", content);
            assertThat(read(client, "/file")).isEqualTo(content);
            assertThat(client.clientStatistics().transports()).containsOnlyKeys("tcp");
        }
    }
}
