// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.interop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.spark.Aggregator;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.math.Ordering;

/**
 * The calls of Spark whose parameters are not the same in all versions: since 4.1 they take the
 * checksums of rows. One jar is for all versions, so the calls of 4.0, which the compiler does not
 * know, are found when they are needed.
 */
public final class SparkInterface {
    private SparkInterface() {}

    /** A sorter of Spark; what is empty it does not do. */
    public static <K, V, C> ExternalSorter<K, V, C> sorter(
            TaskContext context,
            Option<Aggregator<K, V, C>> aggregator,
            Option<Partitioner> partitioner,
            Option<Ordering<K>> ordering,
            Serializer serializer,
            RowChecksums checksums) {
        return RowChecksums.EXIST
                ? new ExternalSorter<>(
                        context,
                        aggregator,
                        partitioner,
                        ordering,
                        serializer,
                        RowChecksums.Since41.checksumsOf(checksums))
                : Before41.sorter(context, aggregator, partitioner, ordering, serializer);
    }

    /** What the driver is told of a map output. */
    public static MapStatus mapStatus(
            BlockManagerId location, long[] partitionBytes, long mapId, RowChecksums checksums) {
        return RowChecksums.EXIST
                ? MapStatus$.MODULE$.apply(
                        location, partitionBytes, mapId, RowChecksums.Since41.aggregated(checksums))
                : Before41.mapStatus(location, partitionBytes, mapId);
    }

    /** Loaded where Spark is 4.0 and nowhere else. */
    private static final class Before41 {
        private static final MethodHandle SORTER =
                found(
                        lookup ->
                                lookup.findConstructor(
                                        ExternalSorter.class,
                                        MethodType.methodType(
                                                void.class,
                                                TaskContext.class,
                                                Option.class,
                                                Option.class,
                                                Option.class,
                                                Serializer.class)));

        private static final MethodHandle MAP_STATUS =
                found(
                        lookup ->
                                lookup.findVirtual(
                                        MapStatus$.class,
                                        "apply",
                                        MethodType.methodType(
                                                MapStatus.class,
                                                BlockManagerId.class,
                                                long[].class,
                                                long.class)));

        @FunctionalInterface
        private interface Search {
            MethodHandle in(MethodHandles.Lookup lookup) throws ReflectiveOperationException;
        }

        private static MethodHandle found(Search search) {
            try {
                return search.in(MethodHandles.publicLookup());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(
                        "crail knows Spark 4.0, 4.1 and 4.2, and this is another one: "
                                + e.getMessage(),
                        e);
            }
        }

        @SuppressWarnings("unchecked")
        static <K, V, C> ExternalSorter<K, V, C> sorter(
                TaskContext context,
                Option<Aggregator<K, V, C>> aggregator,
                Option<Partitioner> partitioner,
                Option<Ordering<K>> ordering,
                Serializer serializer) {
            try {
                return (ExternalSorter<K, V, C>)
                        SORTER.invoke(context, aggregator, partitioner, ordering, serializer);
            } catch (Throwable e) {
                throw Unchecked.rethrow(e);
            }
        }

        static MapStatus mapStatus(BlockManagerId location, long[] partitionBytes, long mapId) {
            try {
                return (MapStatus)
                        MAP_STATUS.invoke(MapStatus$.MODULE$, location, partitionBytes, mapId);
            } catch (Throwable e) {
                throw Unchecked.rethrow(e);
            }
        }
    }
}
