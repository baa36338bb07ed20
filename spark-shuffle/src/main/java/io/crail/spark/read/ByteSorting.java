// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.sort.RecordFormat;
import io.crail.spark.sort.RecordSort;
import io.crail.spark.sort.RecordSorter;
import io.crail.spark.sort.SortTask;
import io.crail.spark.sort.SortedIterator;
import io.crail.spark.sort.SpillSpace;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.util.TaskCompletionListener;
import scala.Product2;
import scala.collection.Iterator;

/** Sorts the records of a reduce task by their bytes. Belongs to the thread of the task. */
final class ByteSorting<K, C> {
    private final RecordFormat<K, C> format;
    private final TaskContext context;
    private final RecordSort sort;

    /** Begins; what the sort holds is given back when the task ends, if not before. */
    ByteSorting(
            RecordSorter sorter,
            RecordFormat<K, C> format,
            SpillSpace spills,
            TaskContext context) {
        this.format = format;
        this.context = context;
        this.sort =
                sorter.begin(
                        new SortTask(
                                format.keyLength(),
                                format.recordLength(),
                                context.taskMemoryManager(),
                                spills));
        context.addTaskCompletionListener((TaskCompletionListener) ended -> sort.close());
    }

    /** Reads and sorts all records. */
    Iterator<Product2<K, C>> sorted(BlockStreams streams, ShuffleReadMetricsReporter metrics) {
        try {
            for (InputStream next = streams.next(); next != null; next = streams.next()) {
                context.killTaskIfInterrupted();
                metrics.incRecordsRead(add(next, streams));
            }
            Iterator<Product2<K, C>> records = new SortedIterator<>(format, sort.sorted(), sort);
            context.taskMetrics().incPeakExecutionMemory(sort.peakMemory());
            return records;
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    /** What is cut short is not what the map task wrote; all else is no fault of it. */
    private long add(InputStream records, BlockStreams streams) throws IOException {
        CountedStream counted = new CountedStream(records);
        try {
            return sort.add(counted);
        } catch (CorruptDataException e) {
            long incomplete = counted.incomplete(format.recordLength());
            if (incomplete == 0) {
                throw e;
            }
            throw streams.corrupt(
                    "its last record has "
                            + incomplete
                            + " bytes instead of "
                            + format.recordLength());
        }
    }
}
