// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.MemoryDataPathProvider;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transport of somebody else's, whose completions are found by polling only. */
class OtherTransportTest extends ClientTestBase {
    @BeforeEach
    void offerMemory() {
        cluster().namenode().preferMemory();
    }

    @Test
    void dataTakesThePreferredTransportThatTheClientHas() throws IOException {
        byte[] data = bytes(3_333_333, 1);
        int before = MemoryDataPathProvider.transfers();
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            CrailTable table = client.createTable("/t");
            table.put(new byte[] {1}, data);
            assertThat(table.getAsync(new byte[] {1}).join().orElseThrow().toByteArray())
                    .isEqualTo(data);
        }
        assertThat(MemoryDataPathProvider.transfers()).isGreaterThan(before + 8);
        assertThat(cluster().storage(0).received())
                .noneMatch(frame -> frame.type() == MessageType.WRITE);
    }

    @Test
    void checksumsAreVerifiedOnEveryTransport() throws IOException {
        byte[] data = bytes(100_000, 2);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().storage(0).corruptReads(1);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(client.clientStatistics().checksumFailures()).isEqualTo(1);
        }
    }
}
