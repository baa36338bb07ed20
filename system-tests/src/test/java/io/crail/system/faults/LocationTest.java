// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.BlockLocation;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where blocks are placed: near their writer, or where their node is wanted. */
@Tag("system")
@Timeout(120)
final class LocationTest {
    private static final int MIB = 1 << 20;

    private static ProcessCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster =
                ProcessCluster.builder()
                        .locations("rack1/a", "rack1/b", "rack2/c")
                        .capacity("16 MiB")
                        .set("namenode.placement", "local-first")
                        .start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private static CrailClient clientAt(String location) throws IOException {
        return CrailClient.connect(cluster.clientConfig().locationClass(location).build());
    }

    /** Bytes of a file by the location class of the servers that hold them. */
    private static Map<String, Long> bytesByLocation(CrailClient client, String path)
            throws IOException {
        return client.locations(path).stream()
                .collect(
                        Collectors.groupingBy(
                                BlockLocation::locationClass,
                                Collectors.summingLong(BlockLocation::length)));
    }

    @Test
    void filesLieNearTheirWriterUntilThatIsFullAndThenAsNearAsPossible() throws IOException {
        try (CrailClient client = clientAt("rack1/b")) {
            byte[] bytes = Payload.random(1, 40 * MIB);
            Payload.write(client, "/small", Payload.random(2, 10_000));
            Payload.write(client, "/big", bytes);
            assertThat(bytesByLocation(client, "/small")).containsOnlyKeys("rack1/b");
            Map<String, Long> big = bytesByLocation(client, "/big");
            assertThat(big.get("rack1/b")).isBetween(15L * MIB, 16L * MIB);
            assertThat(big.get("rack1/a")).isEqualTo(16L * MIB);
            assertThat(big.get("rack2/c")).isBetween(8L * MIB, 9L * MIB);
            assertThat(Payload.read(client, "/big")).isEqualTo(bytes);
            client.delete("/small", false);
            client.delete("/big", false);
        }
        awaitEmpty();
    }

    @Test
    void aNodeWithAPlaceOfItsOwnLiesThereWhoeverWritesIt() throws IOException {
        try (CrailClient client = clientAt("rack1/a")) {
            client.mkdir("/there", CreateOptions.builder().locationClass("rack2/c").build());
            client.createMultiFile("/there/m");
            Payload.write(client, "/there/f", Payload.random(1, 3 * MIB));
            Payload.write(client, "/there/m/part", Payload.random(2, 3 * MIB));
            Payload.write(client, "/here", Payload.random(3, 3 * MIB));
            assertThat(bytesByLocation(client, "/there/f")).containsOnlyKeys("rack2/c");
            assertThat(bytesByLocation(client, "/there/m/part")).containsOnlyKeys("rack2/c");
            assertThat(bytesByLocation(client, "/here")).containsOnlyKeys("rack1/a");
            client.delete("/there", true);
            client.delete("/here", false);
        }
        awaitEmpty();
    }

    private static void awaitEmpty() {
        cluster.await(
                "all blocks are free",
                c -> {
                    var bytes = c.statistics().classes().get(0);
                    return bytes.free() == bytes.capacity();
                });
    }
}
