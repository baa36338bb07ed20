// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** The records of all streams, one after the other. Belongs to the thread of the task. */
final class RecordIterator extends AbstractIterator<Tuple2<Object, Object>> {
    private final BlockFetcher fetcher;
    private final int shuffle;
    private final SerializerManager serializers;
    private final SerializerInstance serializer;
    private final TaskContext context;
    private final ShuffleReadMetricsReporter metrics;
    private Iterator<Tuple2<Object, Object>> records = scala.collection.Iterator$.MODULE$.empty();
    private boolean ended;

    RecordIterator(
            BlockFetcher fetcher,
            int shuffle,
            SerializerManager serializers,
            SerializerInstance serializer,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.fetcher = fetcher;
        this.shuffle = shuffle;
        this.serializers = serializers;
        this.serializer = serializer;
        this.context = context;
        this.metrics = metrics;
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
            BlockStream next = fetcher.nextStream();
            if (next == null) {
                end();
                return;
            }
            ShuffleBlockId block =
                    new ShuffleBlockId(shuffle, next.source().blocks().mapId(), next.partition());
            records =
                    serializer
                            .deserializeStream(
                                    serializers.wrapStream(block, new BlockInputStream(fetcher)))
                            .asKeyValueIterator();
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
