// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.FlashResult;
import io.crail.bench.spark.FlashStore;
import io.crail.cli.command.ClientConfigurations;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.LocalFlash;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Clusters with little memory and a flash tier, one at a time, beside the one that has memory for
 * everything. Not thread-safe.
 */
final class FlashClusters implements FlashStore.Provider {
    private static final int MEMORY = 0;

    private final Invocation invocation;
    private final SparkSettings usual;
    private final @Nullable Path parent;
    private @Nullable SparkSettings settings;

    /**
     * None yet.
     *
     * @param usual settings of applications of the other cluster
     * @param parent existing directory for the files; null chooses one on disk
     */
    FlashClusters(Invocation invocation, SparkSettings usual, @Nullable Path parent) {
        this.invocation = invocation;
        this.usual = usual;
        this.parent = parent;
    }

    /** Settings of applications of the cluster that is there. */
    SparkSettings settings() {
        return Objects.requireNonNull(settings, "no cluster with flash is there");
    }

    @Override
    public FlashResult run(long memory, long flash, FlashStore.Trial trial) throws IOException {
        // A sixteenth and a little more of the file is for checksums.
        long size = flash + flash / 8;
        return new BenchCluster(invocation, memory, invocation.configurationOptions())
                .withFlash(size, parent)
                .run(cluster -> run(cluster, trial));
    }

    private FlashResult run(LocalCluster cluster, FlashStore.Trial trial) throws IOException {
        settings = usual.with(cluster.namenode());
        try (CrailClient client =
                CrailClient.connect(
                        ClientConfigurations.of(
                                invocation.configuration(),
                                List.of(cluster.namenode()),
                                "bench"))) {
            return trial.with(new Store(cluster, cluster.flash().orElseThrow(), client));
        } finally {
            settings = null;
        }
    }

    private record Store(LocalCluster cluster, LocalFlash flash, CrailClient client)
            implements FlashStore {
        @Override
        public List<ProcessHandle> servers() {
            return BenchCluster.processes(cluster);
        }

        @Override
        public Path directory() {
            return flash.directory();
        }

        @Override
        public Use use() throws IOException {
            long inMemory = 0;
            long onFlash = 0;
            for (Statistics.Capacity each : client.statistics().classes()) {
                if (each.storageClass() == MEMORY) {
                    inMemory += each.committed();
                } else {
                    onFlash += each.committed();
                }
            }
            return new Use(inMemory, onFlash);
        }
    }
}
