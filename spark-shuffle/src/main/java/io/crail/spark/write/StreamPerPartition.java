// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameOutput;
import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Product2;
import scala.collection.Iterator;

/**
 * For few partitions: each has a stream that stays open, and a record is serialised once, by way of
 * compression and encryption into the buffer that the store gets. Nothing is sorted or copied. When
 * memory is short, the fullest buffers are written out as they are; the streams go on.
 */
final class StreamPerPartition<K, V> implements PartitionedOutput<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(StreamPerPartition.class);

    /** Heap that a stream of Spark takes before its buffer; a compressor has two blocks. */
    private static final long STREAM_OF_SPARK = 80 << 10;

    /** Of all partitions together, while memory is not short. */
    private static final long ALL_BUFFERS = 64L << 20;

    private static final int MIN_BUFFER = 64 << 10;

    private final MapTask task;
    private final OutputFile file;
    private final WriteMemory memory;
    private final SerializerInstance serializer;
    private final int bufferSize;
    private final long streamOverhead;
    private final @Nullable OutputStream[] streams;
    private final @Nullable SerializationStream[] objects;
    private final @Nullable PartitionBuffer[] buffers;

    StreamPerPartition(MapTask task, OutputFile file, WriteMemory memory, int bufferSize) {
        this.task = task;
        this.file = file;
        this.memory = memory;
        this.serializer = task.newSerializer();
        this.streamOverhead = task.frames().map(FrameOutput::footprint).orElse(STREAM_OF_SPARK);
        int partitions = task.partitions();
        this.bufferSize =
                (int)
                        Math.max(
                                MIN_BUFFER,
                                Math.min(bufferSize, Long.highestOneBit(ALL_BUFFERS / partitions)));
        this.streams = new OutputStream[partitions];
        this.objects = new SerializationStream[partitions];
        this.buffers = new PartitionBuffer[partitions];
        file.relief(this::writeOutFullest);
    }

    @Override
    public void writeAll(Iterator<? extends Product2<K, V>> records) throws IOException {
        if (task.isRelocatable()) {
            writeBytes(records);
        } else {
            writeObjects(records);
        }
        finish();
    }

    /** One serialiser for all partitions: some, Kryo above all, cost much to make. */
    private void writeBytes(Iterator<? extends Product2<K, V>> records) throws IOException {
        try (RecordSwitch all = RecordSwitch.of(serializer)) {
            while (records.hasNext()) {
                Product2<K, V> each = records.next();
                K key = each._1();
                V value = each._2();
                int partition = task.partitionOf(key);
                memory.busy(true);
                all.write(key, value, stream(partition));
                memory.busy(false);
                task.count(partition, key, value);
            }
        }
    }

    private void writeObjects(Iterator<? extends Product2<K, V>> records) throws IOException {
        while (records.hasNext()) {
            Product2<K, V> each = records.next();
            K key = each._1();
            V value = each._2();
            int partition = task.partitionOf(key);
            memory.busy(true);
            SerializationStream stream = objectStream(partition);
            stream.writeKey(key, ClassTags.any());
            stream.writeValue(value, ClassTags.any());
            memory.busy(false);
            task.count(partition, key, value);
        }
    }

    private SerializationStream objectStream(int partition) throws IOException {
        SerializationStream open = objects[partition];
        if (open == null) {
            open = serializer.serializeStream(stream(partition));
            objects[partition] = open;
        }
        return open;
    }

    private OutputStream stream(int partition) throws IOException {
        OutputStream open = streams[partition];
        if (open == null) {
            file.acquireHeap(streamOverhead);
            PartitionBuffer buffer = new PartitionBuffer(file, partition, bufferSize);
            buffers[partition] = buffer;
            open = task.wrap(partition, buffer);
            streams[partition] = open;
        }
        return open;
    }

    private void finish() throws IOException {
        closeStreams();
        if (file.position() % LastPieces.BLOCK == 0) {
            appendBlocks();
        }
        for (PartitionBuffer each : buffers) {
            if (each != null) {
                each.writeOut();
            }
        }
        Arrays.fill(buffers, null);
    }

    /** Has streams let go of what they have. */
    private void closeStreams() throws IOException {
        for (int partition = 0; partition < streams.length; partition++) {
            OutputStream open = streams[partition];
            if (open != null) {
                SerializationStream object = objects[partition];
                if (object != null) {
                    object.close(); // and the stream below it
                } else {
                    open.close();
                }
                streams[partition] = null;
                objects[partition] = null;
                memory.heap().release(streamOverhead);
            }
        }
    }

    private void appendBlocks() throws IOException {
        int[] bytes = new int[buffers.length];
        boolean[] continued = new boolean[buffers.length];
        for (int partition = 0; partition < buffers.length; partition++) {
            PartitionBuffer buffer = buffers[partition];
            if (buffer != null) {
                bytes[partition] = buffer.collected();
                continued[partition] = buffer.isContinued();
            }
        }
        List<LastPieces.Shared> blocks = LastPieces.inBlocks(bytes, continued);
        int left = blocks.size();
        boolean more = LastPieces.isMore(bytes, blocks);
        for (LastPieces.Shared each : blocks) {
            left--;
            List<Piece> small = each.small().stream().map(this::take).toList();
            file.appendTogether(take(each.large()), small, left > 0 || more);
        }
    }

    private Piece take(int partition) {
        return Objects.requireNonNull(buffers[partition]).take();
    }

    private boolean writeOutFullest() throws IOException {
        PartitionBuffer fullest = null;
        for (PartitionBuffer each : buffers) {
            if (each != null && each.collected() > (fullest == null ? 0 : fullest.collected())) {
                fullest = each;
            }
        }
        if (fullest == null) {
            return false;
        }
        fullest.writeOut();
        return true;
    }

    /** What has not been written out is not wanted any more. */
    @Override
    public void close() {
        for (int partition = 0; partition < buffers.length; partition++) {
            PartitionBuffer buffer = buffers[partition];
            if (buffer != null) {
                buffer.discard();
                letGo(partition);
            }
        }
    }

    /**
     * Compressors and ciphers of Spark have memory that no collector of garbage knows; frames have
     * none.
     */
    private void letGo(int partition) {
        OutputStream open = streams[partition];
        if (open == null || task.frames().isPresent()) {
            return;
        }
        SerializationStream object = objects[partition];
        try {
            if (object != null) {
                object.close();
            } else {
                open.close();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("A stream of a map output that is given up does not close", e);
        }
    }
}
