// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.InputStream;
import java.util.NoSuchElementException;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/** The records of all streams, one after the other. Belongs to the thread of the task. */
final class RecordIterator extends AbstractIterator<Tuple2<Object, Object>> {
    private final BlockStreams streams;
    private final SerializerInstance serializer;
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
            BlockStreams streams,
            SerializerInstance serializer,
            boolean relocatable,
            ShuffleReadMetricsReporter metrics) {
        this.streams = streams;
        this.serializer = serializer;
        this.metrics = metrics;
        this.joined = relocatable;
        this.records =
                relocatable
                        ? records(new JoinedStreams(streams))
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
            InputStream next = joined ? null : streams.next();
            if (next == null) {
                ended = true;
            } else {
                records = records(next);
            }
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
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
