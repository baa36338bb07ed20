// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.Unchecked;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.serializer.DeserializationStream;
import scala.reflect.ClassTag;

/** Reads keys and values by turns: a whole record with its key. Belongs to one thread. */
final class FixedSizeInput<K, V> extends DeserializationStream {
    private final RecordFormat<K, V> format;
    private final InputStream source;
    private final byte[] record;

    FixedSizeInput(RecordFormat<K, V> format, InputStream source) {
        this.format = format;
        this.source = source;
        this.record = new byte[format.recordLength()];
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T readKey(ClassTag<T> tag) {
        try {
            int read = source.readNBytes(record, 0, record.length);
            if (read == 0) {
                throw new EOFException("there are no more records");
            }
            checkWhole(read, record.length);
            return (T) format.readKey(record, 0);
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    static void checkWhole(int lastBytes, int recordLength) throws CorruptDataException {
        if (lastBytes % recordLength != 0) {
            throw new CorruptDataException(
                    "the records of a shuffle end after "
                            + lastBytes % recordLength
                            + " of the "
                            + recordLength
                            + " bytes of one");
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T readValue(ClassTag<T> tag) {
        return (T) format.readValue(record, format.keyLength());
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
        throw FixedSizeInstance.onlyPairs();
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }
}
