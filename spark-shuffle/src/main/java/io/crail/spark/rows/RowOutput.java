// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * Writes rows, and keeps nothing of them: flushing is up to whom it writes to. Keys are numbers of
 * partitions, which nobody reads again. Belongs to one thread.
 */
final class RowOutput extends SerializationStream {
    /** Through which rows go that are not on the heap. */
    private static final int PASSAGE = 4096;

    private final OutputStream target;
    private final @Nullable SQLMetric dataSize;
    private final byte[] length = new byte[Integer.BYTES];
    private final byte[] passage = new byte[PASSAGE];

    RowOutput(OutputStream target, @Nullable SQLMetric dataSize) {
        this.target = target;
        this.dataSize = dataSize;
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
        return this;
    }

    @Override
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
        UnsafeRow row = (UnsafeRow) value;
        int bytes = row.getSizeInBytes();
        if (dataSize != null) {
            dataSize.add(bytes);
        }
        RowLength.put(length, bytes);
        try {
            target.write(length, 0, length.length);
            row.writeToStream(target, passage);
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
        return this;
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
        throw RowInstance.onlyRows();
    }

    @Override
    public void flush() {
        try {
            target.flush();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    @Override
    public void close() {
        try {
            target.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }
}
