// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameCodec;
import io.crail.spark.frame.FrameOutput;
import io.crail.spark.frame.FrameSink;
import io.crail.spark.interop.RowChecksums;
import io.crail.spark.layout.StreamFormat;
import io.crail.spark.store.ApplicationStore;
import java.io.OutputStream;
import java.util.Optional;
import org.apache.spark.Partitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * What all ways of writing need to know of the task, and how a record becomes bytes.
 *
 * @param shuffle its number
 * @param partitioner of the shuffle
 * @param serializer of the shuffle, or one like it
 * @param mapId what Spark calls the output
 * @param context the task
 * @param checksums of its rows, if it wants any
 * @param metrics who is told what was written
 * @param serializers compress and encrypt as the application says
 * @param frames compress instead, where the application says what they do
 */
record MapTask(
        int shuffle,
        Partitioner partitioner,
        Serializer serializer,
        long mapId,
        TaskContext context,
        RowChecksums checksums,
        ShuffleWriteMetricsReporter metrics,
        SerializerManager serializers,
        Optional<FrameCodec> frames) {
    static MapTask of(
            ApplicationStore store,
            ShuffleDependency<?, ?, ?> dependency,
            long mapId,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        SparkEnv env = SparkEnv.get();
        return new MapTask(
                dependency.shuffleId(),
                dependency.partitioner(),
                store.serializers().of(dependency),
                mapId,
                context,
                RowChecksums.of(dependency),
                metrics,
                env.serializerManager(),
                FrameUse.of(
                        env.conf(),
                        env.serializerManager().encryptionEnabled(),
                        store::compressionPays));
    }

    /** How the streams of the output are made. */
    StreamFormat format() {
        return frames.isPresent() ? StreamFormat.LZ4_FRAMES : StreamFormat.SPARK;
    }

    int partitions() {
        return partitioner.numPartitions();
    }

    int partitionOf(Object key) {
        return partitioner.getPartition(key);
    }

    /** A record goes to a partition: checksums that are independent of order, and counters. */
    void count(int partition, Object key, Object value) {
        checksums.update(partition, key, value);
        metrics.incRecordsWritten(1);
    }

    /** Whether serialised records may change places, and a stream go on behind another. */
    boolean isRelocatable() {
        return serializer.supportsRelocationOfSerializedObjects();
    }

    SerializerInstance newSerializer() {
        return serializer.newInstance();
    }

    /** Compresses and encrypts what goes to a partition. */
    <T extends OutputStream & FrameSink> OutputStream wrap(int partition, T target) {
        if (frames.isPresent()) {
            return new FrameOutput(frames.get(), target);
        }
        return serializers.wrapStream(new ShuffleBlockId(shuffle, mapId, partition), target);
    }

    /** Serialises, compresses and encrypts what goes to a partition. */
    <T extends OutputStream & FrameSink> SerializationStream open(
            SerializerInstance instance, int partition, T target) {
        return instance.serializeStream(wrap(partition, target));
    }
}
