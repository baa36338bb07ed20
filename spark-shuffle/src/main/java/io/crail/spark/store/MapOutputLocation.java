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

    /** No worker is called so: the loss of a worker does not concern us. */
    private static final String HOST = "crail";

    /** Spark insists on one. */
    private static final int PORT = 1;

    private MapOutputLocation() {}

    /**
     * Name of the file of a map output. Attempts never share one, not even where Spark gives them
     * the same map id.
     *
     * @param mapId what Spark calls the output
     * @param attempt number of the task's attempt, which no other has
     */
    public static String name(long mapId, long attempt) {
        return mapId == attempt ? Long.toString(mapId) : mapId + "-" + attempt;
    }

    /** The place of an output. */
    public static BlockManagerId of(int shuffle, String name) {
        return BlockManagerId.apply(PREFIX + shuffle + "-" + name, HOST, PORT, Option.empty());
    }

    /**
     * Name of the file at a place.
     *
     * @throws IllegalArgumentException if the place is not one of ours
     */
    public static String nameOf(BlockManagerId place) {
        String id = place.executorId();
        int end = id.indexOf('-', PREFIX.length());
        if (!id.startsWith(PREFIX) || end < 0) {
            throw new IllegalArgumentException(
                    "the map output at " + place + " was not written to crail");
        }
        return id.substring(end + 1);
    }
}
