// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import io.crail.error.CrailException;
import java.nio.file.Path;

/** A storage server of the flash tier over a file, in storage class 1. */
final class FlashServer {
    private FlashServer() {}

    /** Adds one to a cluster, with a new sparse file. */
    static void add(EmbeddedCluster cluster, Path image, long capacity) throws CrailException {
        cluster.addServer(
                server ->
                        server.tier("nvmf")
                                .storageClass(1)
                                .capacity(capacity)
                                .tierOption("file", image.toString())
                                .tierOption("allocation", "sparse"));
    }
}
