// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientStatistics;
import io.crail.client.ClientStatistics.Moved;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A client tells which storage classes its bytes went to. */
class StorageClassCountersTest {
    private static final int MIB = 1 << 20;

    @Test
    void bytesAreCountedByTheClassThatTookThem() throws IOException {
        AtomicInteger nextClass = new AtomicInteger();
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(16 * MIB)
                                .segmentSize(16 * MIB)
                                .storage(server -> server.storageClass(nextClass.getAndIncrement()))
                                .start();
                CrailClient client = cluster.connect()) {
            byte[] content = new byte[20 * MIB];
            try (CrailOutputStream out = client.createFile("/file")) {
                out.write(content);
            }
            try (CrailFile file = client.open("/file")) {
                file.readFully(0, ByteBuffer.allocate(content.length));
            }
            ClientStatistics statistics = client.clientStatistics();
            assertThat(statistics.storageClasses())
                    .containsOnly(
                            Map.entry(0, new Moved(16 * MIB, 16 * MIB, 0)),
                            Map.entry(1, new Moved(4 * MIB, 4 * MIB, 0)));
            assertThat(statistics.over("shm"))
                    .isEqualTo(new Moved(20 * MIB, 20 * MIB, 0))
                    .extracting(Moved::bytesWritten)
                    .isEqualTo(statistics.bytesWritten());
        }
    }
}
