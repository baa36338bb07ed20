// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.util.NoSuchElementException;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;

/**
 * Makes records of sorted bytes, each of which the application may keep. Gives back what the sort
 * holds after the last. Belongs to the thread of the task.
 */
public final class SortedIterator<K, V> extends AbstractIterator<Product2<K, V>> {
    private final RecordFormat<K, V> format;
    private final SortedRecords records;
    private final RecordSort sort;

    /** Whether the records stand at one that has not been handed out. */
    private boolean ready;

    private boolean ended;

    /**
     * Before the first record.
     *
     * @param sort is closed at the end
     */
    public SortedIterator(RecordFormat<K, V> format, SortedRecords records, RecordSort sort) {
        this.format = format;
        this.records = records;
        this.sort = sort;
    }

    @Override
    public boolean hasNext() {
        if (!ready && !ended) {
            try {
                ready = records.advance();
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
            if (!ready) {
                ended = true;
                sort.close();
            }
        }
        return ready;
    }

    @Override
    public Product2<K, V> next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all records have been read");
        }
        ready = false;
        byte[] array = records.array();
        int offset = records.offset();
        return new Tuple2<>(
                format.readKey(array, offset),
                format.readValue(array, offset + format.keyLength()));
    }
}
