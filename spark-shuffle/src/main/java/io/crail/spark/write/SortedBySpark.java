// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.ClassTags;
import io.crail.spark.interop.SparkInterface;
import java.io.IOException;
import org.apache.spark.Aggregator;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.util.collection.ExternalSorter;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * For many partitions and serialisers whose records must keep their places, or records that are
 * combined before: Spark's own sorter holds them as objects, combines them, and spills to its local
 * disk if it must; the result is written partition by partition.
 */
final class SortedBySpark<K, V, C> implements PartitionedOutput<K, V> {
    private final MapTask task;
    private final OutputFile file;
    private final SequentialOutput output;
    private final ExternalSorter<K, V, C> sorter;

    SortedBySpark(
            MapTask task, ShuffleDependency<K, V, C> dependency, OutputFile file, int bufferSize) {
        this.task = task;
        this.file = file;
        this.output = new SequentialOutput(file, bufferSize);
        Option<Aggregator<K, V, C>> aggregator =
                dependency.mapSideCombine() ? dependency.aggregator() : Option.empty();
        this.sorter =
                SparkInterface.sorter(
                        task.context(),
                        aggregator,
                        Option.apply(dependency.partitioner()),
                        Option.empty(),
                        dependency.serializer(),
                        task.checksums());
    }

    @Override
    @SuppressWarnings("unchecked")
    public void writeAll(Iterator<? extends Product2<K, V>> records) throws IOException {
        sorter.insertAll((Iterator<Product2<K, V>>) records);
        SerializerInstance serializer = task.newSerializer();
        Iterator<Tuple2<Object, Iterator<Product2<K, C>>>> partitions =
                sorter.partitionedIterator();
        while (partitions.hasNext()) {
            Tuple2<Object, Iterator<Product2<K, C>>> each = partitions.next();
            if (each._2().hasNext()) {
                write(serializer, (Integer) each._1(), each._2());
            }
        }
        output.writeOut();
        TaskMetrics metrics = task.context().taskMetrics();
        metrics.incMemoryBytesSpilled(sorter.memoryBytesSpilled());
        metrics.incDiskBytesSpilled(sorter.diskBytesSpilled());
        metrics.incPeakExecutionMemory(sorter.peakMemoryUsedBytes());
    }

    private void write(
            SerializerInstance serializer, int partition, Iterator<Product2<K, C>> records)
            throws IOException {
        long from = output.position();
        try (SerializationStream stream = task.open(serializer, partition, output)) {
            while (records.hasNext()) {
                Product2<K, C> each = records.next();
                stream.writeKey(each._1(), ClassTags.any());
                stream.writeValue(each._2(), ClassTags.any());
                task.metrics().incRecordsWritten(1);
            }
        }
        file.notePiece(partition, from, output.position() - from);
    }

    @Override
    public void close() {
        output.discard();
        sorter.stop();
    }
}
