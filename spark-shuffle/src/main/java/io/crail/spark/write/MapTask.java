// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.RowChecksums;
import java.io.OutputStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * What all ways of writing need to know of the task, and how a record becomes bytes.
 *
 * @param dependency the shuffle
 * @param mapId what Spark calls the output
 * @param context the task
 * @param checksums of its rows, if it wants any
 * @param metrics who is told what was written
 * @param serializers compress and encrypt as the application says
 */
record MapTask(
        ShuffleDependency<?, ?, ?> dependency,
        long mapId,
        TaskContext context,
        RowChecksums checksums,
        ShuffleWriteMetricsReporter metrics,
        SerializerManager serializers) {
    static MapTask of(
            ShuffleDependency<?, ?, ?> dependency,
            long mapId,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        return new MapTask(
                dependency,
                mapId,
                context,
                RowChecksums.of(dependency),
                metrics,
                SparkEnv.get().serializerManager());
    }

    int shuffle() {
        return dependency.shuffleId();
    }

    int partitions() {
        return dependency.partitioner().numPartitions();
    }

    int partitionOf(Object key) {
        return dependency.partitioner().getPartition(key);
    }

    /** A record goes to a partition: checksums that are independent of order, and counters. */
    void count(int partition, Object key, Object value) {
        checksums.update(partition, key, value);
        metrics.incRecordsWritten(1);
    }

    /** Whether serialised records may change places, and a stream go on behind another. */
    boolean isRelocatable() {
        return dependency.serializer().supportsRelocationOfSerializedObjects();
    }

    SerializerInstance newSerializer() {
        return dependency.serializer().newInstance();
    }

    /** Compresses and encrypts what goes to a partition. */
    OutputStream wrap(int partition, OutputStream target) {
        return serializers.wrapStream(
                new ShuffleBlockId(dependency.shuffleId(), mapId, partition), target);
    }

    /** Serialises, compresses and encrypts what goes to a partition. */
    SerializationStream open(SerializerInstance serializer, int partition, OutputStream target) {
        return serializer.serializeStream(wrap(partition, target));
    }
}
