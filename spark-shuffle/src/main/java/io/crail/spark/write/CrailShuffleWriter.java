// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.SparkInterface;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.layout.MapOutputIndexBuilder;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.MapOutputLocation;
import java.io.IOException;
import org.apache.spark.Aggregator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.util.TaskCompletionListener;
import scala.Option;
import scala.Product2;
import scala.collection.Iterator;

/**
 * Writes the output of one attempt of a map task: a file that appears whole at {@link #stop
 * stop(true)}, or never. Belongs to the thread of the task.
 */
public final class CrailShuffleWriter<K, V, C> extends ShuffleWriter<K, V> {
    private final ApplicationStore store;
    private final ShuffleDependency<K, V, C> dependency;
    private final MapTask task;
    private final MapOutputIndexBuilder index;
    private final WriteMemory memory;
    private final OutputFile file;
    private boolean written;
    private boolean stopped;

    /**
     * A writer that has written nothing.
     *
     * @param mapId what Spark calls the output
     */
    public CrailShuffleWriter(
            ApplicationStore store,
            ShuffleDependency<K, V, C> dependency,
            long mapId,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        this.store = store;
        this.dependency = dependency;
        this.task = MapTask.of(dependency, mapId, context, metrics);
        this.index = new MapOutputIndexBuilder(task.partitions(), task.format());
        this.memory = new WriteMemory(context.taskMemoryManager());
        this.file = new OutputFile(store, task, memory, index);
        // Nobody calls stop when a task ends by an error of the JVM.
        context.addTaskCompletionListener((TaskCompletionListener) ended -> discard());
    }

    private void discard() {
        file.abandon();
        memory.close();
    }

    @Override
    public void write(Iterator<Product2<K, V>> records) throws IOException {
        if (records.hasNext()) {
            file.expectBytes();
        }
        if (task.partitions() <= store.settings().maxStreams()) {
            writeStreams(records);
        } else if (mayBeSorted()) {
            writeBy(new SortedPages<>(task, file, memory, bufferSize()), records);
        } else {
            writeBy(new SortedBySpark<>(task, dependency, file, bufferSize()), records);
        }
        task.context().taskMetrics().incPeakExecutionMemory(memory.peak());
        written = true;
    }

    private int bufferSize() {
        return store.settings().bufferSize();
    }

    private boolean mayBeSorted() {
        return task.isRelocatable() && !dependency.mapSideCombine();
    }

    private void writeStreams(Iterator<Product2<K, V>> records) throws IOException {
        if (dependency.mapSideCombine()) {
            Aggregator<K, V, C> aggregator = dependency.aggregator().get();
            writeBy(
                    new StreamPerPartition<>(task, file, memory, bufferSize()),
                    aggregator.combineValuesByKey(records, task.context()));
        } else {
            writeBy(new StreamPerPartition<>(task, file, memory, bufferSize()), records);
        }
    }

    private static <K, V> void writeBy(
            PartitionedOutput<K, V> way, Iterator<? extends Product2<K, V>> records)
            throws IOException {
        try (way) {
            way.writeAll(records);
        }
    }

    @Override
    public Option<MapStatus> stop(boolean success) {
        if (stopped) {
            return Option.empty();
        }
        stopped = true;
        try {
            if (!success || !written) {
                return Option.empty();
            }
            file.commit();
            return Option.apply(status());
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        } finally {
            discard();
        }
    }

    private MapStatus status() {
        return SparkInterface.mapStatus(
                MapOutputLocation.of(dependency.shuffleId(), task.mapId()),
                index.partitionBytes(),
                task.mapId(),
                task.checksums());
    }

    @Override
    public long[] getPartitionLengths() {
        return index.partitionBytes();
    }
}
