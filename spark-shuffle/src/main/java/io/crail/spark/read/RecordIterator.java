// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.InputStream;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** The records of all streams, one after the other. Belongs to the thread of the task. */
final class RecordIterator extends AbstractIterator<Tuple2<Object, Object>> {
    private final BlockFetcher fetcher;
    private final StreamOpener opener;
    private final SerializerInstance serializer;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;
    private Iterator<Tuple2<Object, Object>> records;

    /** Whether the records are the last. */
    private final boolean joined;

    private boolean ended;

    /**
     * Records that have not been read.
     *
     * @param relocatable whether the serialiser goes on with a stream behind another
     */
    RecordIterator(
            BlockFetcher fetcher,
            StreamOpener opener,
            SerializerInstance serializer,
            boolean relocatable,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.fetcher = fetcher;
        this.opener = opener;
        this.serializer = serializer;
        this.context = context;
        this.metrics = metrics;
        this.joined = relocatable;
        this.records =
                relocatable
                        ? records(new JoinedStreams(opener))
                        : scala.collection.Iterator$.MODULE$.empty();
    }

    private Iterator<Tuple2<Object, Object>> records(InputStream bytes) {
        return serializer.deserializeStream(bytes).asKeyValueIterator();
    }

    @Override
    public boolean hasNext() {
        while (!ended && !records.hasNext()) {
            nextStream();
        }
        return !ended;
    }

    private void nextStream() {
        try {
            InputStream next = joined ? null : opener.next();
            if (next == null) {
                end();
            } else {
                records = records(next);
            }
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    private void end() {
        ended = true;
        fetcher.close();
        context.taskMetrics().mergeShuffleReadMetrics();
    }

    @Override
    public Tuple2<Object, Object> next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all records have been read");
        }
        Tuple2<Object, Object> record = records.next();
        metrics.incRecordsRead(1);
        return record;
    }
}
