// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * What Spark takes for the place of a map output: an executor that does not exist, of its own for
 * each output. When an output cannot be read, Spark drops all that its place has; this way that is
 * the one output, and the executor that wrote it, with all else that it has, stays in good
 * standing.
 */
public final class MapOutputLocation {
    private static final String PREFIX = "crail-";

    /**
     * No worker is called so: the loss of a worker does not concern us. All outputs share it, which
     * the plug-in allows for: Spark must not drop what a host has (see {@code ShuffleTakeover}).
     */
    private static final String HOST = "crail";

    /** Spark insists on one. */
    private static final int PORT = 1;

    private MapOutputLocation() {}

    /**
     * The place of an output.
     *
     * @param mapId what Spark calls the output: the number of the attempt that made it
     */
    public static BlockManagerId of(int shuffle, long mapId) {
        return BlockManagerId.apply(PREFIX + shuffle + "-" + mapId, HOST, PORT, Option.empty());
    }
}
