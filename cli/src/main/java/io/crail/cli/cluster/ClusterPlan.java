// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.LocalFlash;
import io.crail.protocol.config.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a local cluster shall be.
 *
 * @param directory where state, logs and metadata are; made if missing
 * @param dataDirectory where the segments are; made if missing
 * @param servers number of storage servers in memory
 * @param capacity bytes that each of them offers
 * @param flash the flash tier, if there shall be one; its directory is made if missing
 * @param port port of the namenode, 0 = as before, else any free one
 * @param format whether to discard what an earlier cluster left in both directories
 * @param ready longest time until everything serves
 * @param bound whether the cluster ends with this process, however that ends
 * @param options further options for each process: configuration
 */
public record ClusterPlan(
        Path directory,
        Path dataDirectory,
        int servers,
        ByteSize capacity,
        Optional<LocalFlash> flash,
        int port,
        boolean format,
        Duration ready,
        boolean bound,
        List<String> options) {
    public ClusterPlan {
        options = List.copyOf(options);
    }

    /** Where the namenode keeps its log and snapshots. */
    Path metadata() {
        return directory.resolve("metadata");
    }

    /** Names of all processes. */
    List<String> processNames() {
        List<String> names = new ArrayList<>(List.of(LocalCluster.NAMENODE));
        for (int i = 0; i < servers; i++) {
            names.add(LocalCluster.storageName(i));
        }
        if (flash.isPresent()) {
            names.add(LocalCluster.FLASH);
        }
        return names;
    }

    Path storage(int index) {
        return dataDirectory.resolve(LocalCluster.storageName(index));
    }
}
