// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.error.InvalidArgumentException;
import io.crail.spark.interop.RowChecksums;
import io.crail.spark.interop.SparkInterface;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.sort.CrailSpills;
import io.crail.spark.sort.ObjectSort;
import io.crail.spark.sort.RecordFormat;
import io.crail.spark.sort.RecordSorters;
import io.crail.spark.store.ApplicationStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.Aggregator;
import org.apache.spark.InterruptibleIterator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Reads a range of partitions of a range of maps, combined and sorted as the shuffle says. Belongs
 * to the thread of the task.
 */
public final class CrailShuffleReader<K, V, C> implements ShuffleReader<K, C> {
    /** Memory that sorts of Spark do not account for. */
    private static final String UNACCOUNTED = "spark.shuffle.spill.initialMemoryThreshold";

    private static final long DEFAULT_UNACCOUNTED = 5 << 20;

    private final ApplicationStore store;
    private final ShuffleDependency<K, V, C> dependency;
    private final List<MapBlocks> maps;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;

    /**
     * A reader that has read nothing.
     *
     * @param places where Spark thinks that the blocks are
     * @param startPartition first partition of the range; decides which map is the first, so that
     *     not all tasks begin with the same one
     */
    public CrailShuffleReader(
            ApplicationStore store,
            ShuffleDependency<K, V, C> dependency,
            Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> places,
            int startPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.store = store;
        this.dependency = dependency;
        this.maps = new ArrayList<>(MapBlocks.of(places));
        this.context = context;
        this.metrics = metrics;
        Collections.rotate(maps, -startPartition);
    }

    @Override
    public Iterator<Product2<K, C>> read() {
        BlockFetcher fetcher =
                new BlockFetcher(
                        store,
                        dependency.shuffleId(),
                        dependency.partitioner().numPartitions(),
                        maps,
                        context,
                        metrics);
        context.addTaskCompletionListener((TaskCompletionListener) ended -> fetcher.close());
        SerializerManager serializers = SparkEnv.get().serializerManager();
        BlockStreams streams =
                new BlockStreams(fetcher, dependency.shuffleId(), serializers, context);
        Optional<ByteSorting<K, C>> bytes = byteSorting();
        if (bytes.isPresent()) {
            return new InterruptibleIterator<>(context, bytes.get().sorted(streams, metrics));
        }
        Serializer serializer = store.serializers().of(dependency);
        RecordIterator records =
                new RecordIterator(
                        streams,
                        serializer.newInstance(),
                        serializer.supportsRelocationOfSerializedObjects(),
                        metrics);
        Iterator<Product2<K, C>> combined = combined(new InterruptibleIterator<>(context, records));
        return new InterruptibleIterator<>(context, combined);
    }

    /** How to sort without making records, if that is wanted and possible. */
    private Optional<ByteSorting<K, C>> byteSorting() {
        Optional<RecordFormat<K, C>> format = RecordSorters.formatOf(dependency);
        if (format.isEmpty()) {
            return Optional.empty();
        }
        try {
            return RecordSorters.named(store.settings().sorter())
                    .map(sorter -> new ByteSorting<>(sorter, format.get(), spills(), context));
        } catch (InvalidArgumentException e) {
            throw Unchecked.rethrow(e);
        }
    }

    /** As Spark's own reader does it. */
    @SuppressWarnings("unchecked")
    private Iterator<Product2<K, C>> combined(Iterator<?> records) {
        if (dependency.keyOrdering().isDefined()) {
            return sorted(records);
        }
        if (dependency.aggregator().isEmpty()) {
            return (Iterator<Product2<K, C>>) records;
        }
        Aggregator<K, V, C> aggregator = dependency.aggregator().get();
        Iterator<?> combined =
                dependency.mapSideCombine()
                        ? aggregator.combineCombinersByKey(
                                (Iterator<Product2<K, C>>) records, context)
                        : aggregator.combineValuesByKey(
                                (Iterator<Product2<K, V>>) records, context);
        return (Iterator<Product2<K, C>>) combined;
    }

    @SuppressWarnings("unchecked")
    private Iterator<Product2<K, C>> sorted(Iterator<?> records) {
        if (dependency.aggregator().isDefined() && !dependency.mapSideCombine()) {
            return sorter(dependency.aggregator())
                    .insertAllAndUpdateMetrics((Iterator<Product2<K, V>>) records);
        }
        if (dependency.aggregator().isEmpty()) {
            return sortedAsObjects((Iterator<Product2<K, C>>) records);
        }
        Aggregator<K, V, C> aggregator = dependency.aggregator().get();
        Aggregator<K, C, C> merging =
                new Aggregator<>(
                        combiner -> combiner,
                        aggregator.mergeCombiners(),
                        aggregator.mergeCombiners());
        return sorter(Option.apply(merging))
                .insertAllAndUpdateMetrics((Iterator<Product2<K, C>>) records);
    }

    private Iterator<Product2<K, C>> sortedAsObjects(Iterator<Product2<K, C>> records) {
        ObjectSort<K, C> sort =
                new ObjectSort<>(
                        dependency.keyOrdering().get(),
                        dependency.serializer().newInstance(),
                        spills(),
                        context,
                        SparkEnv.get().conf().getSizeAsBytes(UNACCOUNTED, DEFAULT_UNACCOUNTED));
        context.addTaskCompletionListener((TaskCompletionListener) ended -> sort.close());
        if (!sort.addAll(records)) {
            return this.<C>sorter(Option.empty()).insertAllAndUpdateMetrics(sort.handOver(records));
        }
        context.taskMetrics().incPeakExecutionMemory(sort.peakMemory());
        return sort.sorted();
    }

    private CrailSpills spills() {
        return new CrailSpills(
                store, dependency.shuffleId(), context, SparkEnv.get().serializerManager());
    }

    private <X> ExternalSorter<K, X, C> sorter(Option<Aggregator<K, X, C>> aggregator) {
        return SparkInterface.sorter(
                context,
                aggregator,
                Option.empty(),
                dependency.keyOrdering(),
                dependency.serializer(),
                RowChecksums.none());
    }
}
