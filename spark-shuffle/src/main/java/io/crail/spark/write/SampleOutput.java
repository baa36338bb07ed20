// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.interop.RowChecksums;
import io.crail.spark.layout.MapOutputIndexBuilder;
import io.crail.spark.store.ApplicationStore;
import java.io.IOException;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.Serializer;
import scala.Product2;
import scala.collection.Iterator;

/** A map output of a shuffle that Spark does not know, written as those of tasks are. */
public final class SampleOutput {
    private SampleOutput() {}

    /**
     * Writes it. Nothing is left behind if that fails, but the directory of the shuffle.
     *
     * @param context what the task would have; belongs to the calling thread
     * @param records taken as they are asked for
     */
    public static void write(
            ApplicationStore store,
            int shuffle,
            long mapId,
            TaskContext context,
            Serializer serializer,
            Partitioner partitioner,
            Iterator<? extends Product2<Object, Object>> records)
            throws IOException {
        SparkEnv env = SparkEnv.get();
        MapTask task =
                new MapTask(
                        shuffle,
                        partitioner,
                        store.serializers().sameAs(serializer),
                        mapId,
                        context,
                        RowChecksums.none(),
                        context.taskMetrics().shuffleWriteMetrics(),
                        env.serializerManager(),
                        FrameUse.of(
                                env.conf(),
                                env.serializerManager().encryptionEnabled(),
                                store::compressionPays));
        WriteMemory memory = new WriteMemory(context.taskMemoryManager());
        OutputFile file =
                new OutputFile(
                        store,
                        task,
                        memory,
                        new MapOutputIndexBuilder(task.partitions(), task.format()));
        try {
            file.expectBytes();
            writeStreams(task, file, memory, store.settings().bufferSize(), records);
            file.commit();
        } finally {
            file.abandon();
            memory.close();
        }
    }

    private static void writeStreams(
            MapTask task,
            OutputFile file,
            WriteMemory memory,
            int bufferSize,
            Iterator<? extends Product2<Object, Object>> records)
            throws IOException {
        try (StreamPerPartition<Object, Object> way =
                new StreamPerPartition<>(task, file, memory, bufferSize)) {
            way.writeAll(records);
        }
    }
}
