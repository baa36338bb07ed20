// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.rows;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/** Makes the streams of a task. Belongs to one thread. */
final class RowInstance extends SerializerInstance {
    private final int fields;
    private final @Nullable SQLMetric dataSize;

    RowInstance(int fields, @Nullable SQLMetric dataSize) {
        this.fields = fields;
        this.dataSize = dataSize;
    }

    @Override
    public SerializationStream serializeStream(OutputStream target) {
        return new RowOutput(target, dataSize);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream source) {
        return new RowInput(source, fields);
    }

    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
        throw onlyRows();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
        throw onlyRows();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
        throw onlyRows();
    }

    static UnsupportedOperationException onlyRows() {
        return new UnsupportedOperationException(
                "rows of a shuffle are serialised here, and no other objects");
    }
}
