// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.BlockLocation;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.message.Statistics;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where bytes go: classes in order, inherited from directories, full one after the other. */
@Tag("system")
final class StorageClassesTest {
    private static final int MIB = 1 << 20;

    @Test
    void aFullClassFallsThroughToTheNextAndDirectoriesHandTheirsDown() throws IOException {
        try (ProcessCluster cluster =
                        ProcessCluster.builder().storageClasses(0, 1).capacity("32 MiB").start();
                CrailClient client = cluster.client()) {
            client.mkdir("/slow", CreateOptions.builder().storageClass(1).build());
            client.mkdir("/slow/below");
            Payload.write(client, "/slow/below/f", Payload.random(1, 4 * MIB));
            assertThat(committed(client, 0)).isZero();
            assertThat(committed(client, 1)).isEqualTo(4 * MIB);

            byte[] bytes = Payload.random(2, 40 * MIB);
            Payload.write(client, "/big", bytes);
            assertThat(committed(client, 0)).isEqualTo(32 * MIB);
            assertThat(committed(client, 1)).isEqualTo(12 * MIB);
            assertThat(Payload.read(client, "/big")).isEqualTo(bytes);
            assertThat(client.locations("/big").stream().map(BlockLocation::server).distinct())
                    .hasSize(2);

            assertThatThrownBy(() -> Payload.write(client, "/more", Payload.random(3, 30 * MIB)))
                    .isInstanceOf(OutOfSpaceException.class);
            assertThat(client.lookup("/more")).isEmpty();
        }
    }

    /** Grants that were not needed may still be on their way back: only what is committed. */
    private static long committed(CrailClient client, int storageClass) throws IOException {
        Statistics.Capacity bytes =
                client.statistics().classes().stream()
                        .filter(c -> c.storageClass() == storageClass)
                        .findFirst()
                        .orElseThrow();
        return bytes.committed();
    }
}
