// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.InputStream;
import java.util.NoSuchElementException;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * Reads rows out of what has been read at once. As with Spark's own, all rows are one object, which
 * is good until the next: whoever keeps a row copies it. Belongs to one thread.
 */
final class RowInput extends DeserializationStream {
    private static final int AT_ONCE = 32 << 10;

    /** Rows are words of 8 bytes. */
    private static final int WORD = 8;

    private final InputStream source;
    private final int fields;
    private final byte[] read = new byte[AT_ONCE];
    private int position;
    private int limit;

    RowInput(InputStream source, int fields) {
        this.source = source;
        this.fields = fields;
    }

    @Override
    public Iterator<Tuple2<Object, Object>> asKeyValueIterator() {
        return new Rows();
    }

    /** Whether there is another row, whose length is whole then. */
    private boolean hasRow() throws IOException {
        while (limit - position < RowLength.BYTES) {
            int left = limit - position;
            System.arraycopy(read, position, read, 0, left);
            position = 0;
            limit = left;
            int more = source.read(read, left, read.length - left);
            if (more < 0) {
                if (left > 0) {
                    throw new CorruptDataException(
                            "the rows of a shuffle end within the length of one");
                }
                return false;
            }
            limit += more;
        }
        return true;
    }

    /** The length of the row that is next. */
    private int nextLength() throws IOException {
        int length = RowLength.get(read, position);
        if (length < 0 || length % WORD != 0) {
            throw new CorruptDataException(
                    "a row of a shuffle has " + length + " bytes, which no row can have");
        }
        position += RowLength.BYTES;
        return length;
    }

    private void copyRow(byte[] target, int length) throws IOException {
        int some = Math.min(length, limit - position);
        System.arraycopy(read, position, target, 0, some);
        position += some;
        if (some < length) {
            int rest = source.readNBytes(target, some, length - some);
            if (some + rest < length) {
                throw new CorruptDataException(
                        "the rows of a shuffle end after "
                                + (some + rest)
                                + " of the "
                                + length
                                + " bytes of one");
            }
        }
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
        throw RowInstance.onlyRows();
    }

    /** All that is left, with the same key for all: nobody looks at it. */
    private final class Rows extends AbstractIterator<Tuple2<Object, Object>> {
        private final UnsafeRow row = new UnsafeRow(fields);
        private final Tuple2<Object, Object> pair = new Tuple2<>(0, row);
        private byte[] bytes = new byte[64];

        @Override
        public boolean hasNext() {
            try {
                return hasRow();
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
        }

        @Override
        public Tuple2<Object, Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("all rows have been read");
            }
            try {
                int length = nextLength();
                if (bytes.length < length) {
                    bytes = new byte[roomFor(length)];
                }
                copyRow(bytes, length);
                row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, length);
                return pair;
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
        }

        /** A bit more than the row, since lengths of rows differ. */
        private int roomFor(int length) {
            return (int) Math.min(Integer.MAX_VALUE - WORD, length + length / 2L + WORD);
        }
    }
}
