// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.collection.Iterator;

/**
 * For many partitions, and serialisers whose records may change places: records are serialised once
 * and collected in pages; when memory is full, and at the end, they are brought into order of
 * partitions by counting and written, each partition a stream of its own. So a task with ten
 * thousand partitions has one compressor at a time, and the memory of its records, not that of ten
 * thousand buffers.
 */
final class SortedPages<K, V> implements PartitionedOutput<K, V> {
    private static final int COPY = 32 << 10;

    private final MapTask task;
    private final OutputFile file;
    private final RecordPages pages;
    private final SequentialOutput output;

    /** Of one partition after the other; null if each has a stream of Spark. */
    private final @Nullable FrameOutput frames;

    private final byte[] copy = new byte[COPY];

    /** So that the lack of memory for a buffer does not begin the same again. */
    private boolean writing;

    SortedPages(MapTask task, OutputFile file, WriteMemory memory, int bufferSize) {
        this.task = task;
        this.file = file;
        this.pages = new RecordPages(memory);
        this.output = new SequentialOutput(file, bufferSize);
        this.frames = task.frames().map(codec -> new FrameOutput(codec, output)).orElse(null);
        file.relief(this::writeOutAndFree);
        memory.heap().relief(this::writeOutAndFree);
    }

    @Override
    public void writeAll(Iterator<? extends Product2<K, V>> records) throws IOException {
        try (RecordBytes bytes = RecordBytes.of(task.newSerializer())) {
            while (records.hasNext()) {
                Product2<K, V> each = records.next();
                K key = each._1();
                V value = each._2();
                int partition = task.partitionOf(key);
                bytes.set(key, value);
                task.count(partition, key, value);
                add(partition, bytes);
            }
        }
        writeOut();
    }

    private void add(int partition, RecordBytes record) throws IOException {
        if (pages.add(partition, record.array(), record.length())) {
            return;
        }
        writeOutAndFree();
        if (pages.add(partition, record.array(), record.length())) {
            return;
        }
        // Not even memory for one record: it goes by itself.
        pages.free();
        long from = output.position();
        try (OutputStream stream = stream(partition)) {
            stream.write(record.array(), 0, record.length());
        }
        file.notePiece(partition, from, output.position() - from);
    }

    private OutputStream stream(int partition) {
        return frames != null ? frames : task.wrap(partition, output);
    }

    private boolean writeOutAndFree() throws IOException {
        if (writing || pages.records() == 0) {
            return false;
        }
        writeOut();
        pages.free();
        return true;
    }

    private void writeOut() throws IOException {
        writing = true;
        int[] order = inOrder();
        int next = 0;
        while (next < order.length) {
            int partition = pages.partition(order[next]);
            long from = output.position();
            try (OutputStream stream = stream(partition)) {
                while (next < order.length && pages.partition(order[next]) == partition) {
                    pages.copy(order[next], copy, stream);
                    next++;
                }
            }
            file.notePiece(partition, from, output.position() - from);
        }
        output.writeOut();
        pages.clear();
        writing = false;
    }

    /** Numbers of the records by partition; in a partition as they came. */
    private int[] inOrder() {
        int[] places = new int[task.partitions() + 1];
        int records = pages.records();
        for (int record = 0; record < records; record++) {
            places[pages.partition(record) + 1]++;
        }
        for (int partition = 1; partition < places.length; partition++) {
            places[partition] += places[partition - 1];
        }
        int[] order = new int[records];
        for (int record = 0; record < records; record++) {
            order[places[pages.partition(record)]++] = record;
        }
        return order;
    }

    @Override
    public void close() {
        pages.free();
        output.discard();
    }
}
