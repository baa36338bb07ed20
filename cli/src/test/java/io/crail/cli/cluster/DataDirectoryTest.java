// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir private Path state;

    @Test
    void clustersOfOneNameBelowTwoStateDirectoriesDoNotMeet() throws IOException {
        Path one = Files.createDirectory(state.resolve("one"));
        Path two = Files.createDirectory(state.resolve("two"));
        assertThat(DataDirectory.choose(one.resolve("default"), 1).path())
                .isNotEqualTo(DataDirectory.choose(two.resolve("default"), 1).path());
        assertThat(DataDirectory.choose(one.resolve("default"), 1))
                .extracting(DataDirectory::path)
                .isEqualTo(DataDirectory.choose(one.resolve("default"), 1).path());
    }

    @Test
    void aClusterThatWasThereKeepsItsPlace() throws IOException {
        Path cluster = state.resolve("default");
        new StateDirectory(cluster).prepare();
        Path beside = cluster.resolve("data");
        new LocalCluster(
                        cluster,
                        new Endpoint("127.0.0.1", 1),
                        1,
                        beside,
                        new ByteSize(1),
                        List.of())
                .write();
        DataDirectory data = DataDirectory.choose(cluster, 1);
        assertThat(data.path()).isEqualTo(beside);
        assertThat(data.shared()).isFalse();
    }

    @Test
    void theUsableSpaceIsTold() throws IOException {
        assertThat(DataDirectory.choose(state.resolve("default"), 1).usable()).isPositive();
    }
}
