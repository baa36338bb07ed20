// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.MapOutputLocation;
import java.util.List;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.TempShuffleReadMetrics;
import org.apache.spark.serializer.Serializer;
import scala.Product2;
import scala.Tuple2;
import scala.collection.Iterator;

/** A map output of a shuffle that Spark does not know, read as those of tasks are. */
public final class SampleInput {
    private static final Aggregator<Object, Object, Object> ANY_VALUE =
            new Aggregator<>(value -> value, (kept, value) -> kept, (kept, value) -> kept);

    private SampleInput() {}

    /**
     * Reads all partitions, and combines the records by their keys.
     *
     * @param context what the task would have; belongs to the calling thread
     * @param bytes about how many there are
     * @return how many keys there are
     */
    public static long count(
            ApplicationStore store,
            int shuffle,
            long mapId,
            TaskContext context,
            Serializer serializer,
            int partitions,
            long bytes) {
        TempShuffleReadMetrics metrics = context.taskMetrics().createTempShuffleReadMetrics();
        MapBlocks all =
                new MapBlocks(MapOutputLocation.of(shuffle, mapId), mapId, 0, 0, partitions, bytes);
        try (BlockFetcher fetcher =
                new BlockFetcher(store, shuffle, partitions, List.of(all), context, metrics)) {
            Iterator<Tuple2<Object, Object>> records =
                    new InterruptibleIterator<>(
                            context,
                            new RecordIterator(
                                    new BlockStreams(
                                            fetcher,
                                            shuffle,
                                            SparkEnv.get().serializerManager(),
                                            context),
                                    store.serializers().sameAs(serializer).newInstance(),
                                    serializer.supportsRelocationOfSerializedObjects(),
                                    metrics));
            Iterator<?> combined = ANY_VALUE.combineValuesByKey(products(records), context);
            long count = 0;
            while (combined.hasNext()) {
                combined.next();
                count++;
            }
            return count;
        }
    }

    @SuppressWarnings("unchecked") // of Scala, it is one
    private static Iterator<Product2<Object, Object>> products(Iterator<?> records) {
        return (Iterator<Product2<Object, Object>>) records;
    }
}
