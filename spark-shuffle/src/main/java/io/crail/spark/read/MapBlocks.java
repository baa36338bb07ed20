// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * What a reduce task needs of one map output.
 *
 * @param place where Spark thinks that it is
 * @param mapId what Spark calls it
 * @param mapIndex number of the map
 * @param from first partition
 * @param to behind the last partition; those between that have no bytes do not count
 * @param estimate about how many bytes there are
 */
record MapBlocks(BlockManagerId place, long mapId, int mapIndex, int from, int to, long estimate) {
    /** All that a task needs, in order of maps. */
    static List<MapBlocks> of(
            Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> places) {
        SortedMap<Integer, MapBlocks> byMap = new TreeMap<>();
        while (places.hasNext()) {
            Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> place = places.next();
            Iterator<Tuple3<BlockId, Object, Object>> blocks = place._2().iterator();
            while (blocks.hasNext()) {
                Tuple3<BlockId, Object, Object> block = blocks.next();
                MapBlocks one =
                        single(place._1(), block._1(), (Long) block._2(), (Integer) block._3());
                byMap.merge(one.mapIndex, one, MapBlocks::and);
            }
        }
        return new ArrayList<>(byMap.values());
    }

    private static MapBlocks single(BlockManagerId place, BlockId block, long size, int mapIndex) {
        if (!(block instanceof ShuffleBlockId id)) {
            throw new IllegalArgumentException(block + " is no block of a shuffle in crail");
        }
        return new MapBlocks(place, id.mapId(), mapIndex, id.reduceId(), id.reduceId() + 1, size);
    }

    private MapBlocks and(MapBlocks other) {
        return new MapBlocks(
                place,
                mapId,
                mapIndex,
                Math.min(from, other.from),
                Math.max(to, other.to),
                estimate + other.estimate);
    }

    /** What makes Spark run the map task again. To be thrown at once. */
    FetchFailedException failed(int shuffle, int partition, Throwable cause) {
        return new FetchFailedException(
                place,
                shuffle,
                mapId,
                mapIndex,
                partition,
                "map output "
                        + mapId
                        + " of shuffle "
                        + shuffle
                        + " cannot be read from crail: "
                        + cause.getMessage(),
                cause);
    }
}
