// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/** What Spark makes of a {@link FixedSizeSerializer} for a task. */
public final class FixedSizeInstance<K, V> extends SerializerInstance {
    private final RecordFormat<K, V> format;

    FixedSizeInstance(RecordFormat<K, V> format) {
        this.format = format;
    }

    /** Bytes of a record. */
    public int recordLength() {
        return format.recordLength();
    }

    /** Writes a record into the first bytes of an array. */
    @SuppressWarnings("unchecked")
    public void write(Object key, Object value, byte[] target) {
        format.writeKey((K) key, target, 0);
        format.writeValue((V) value, target, format.keyLength());
    }

    @Override
    public SerializationStream serializeStream(OutputStream target) {
        return new FixedSizeOutput<>(format, target);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream source) {
        return new FixedSizeInput<>(format, source);
    }

    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
        throw onlyPairs();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
        throw onlyPairs();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
        throw onlyPairs();
    }

    static UnsupportedOperationException onlyPairs() {
        return new UnsupportedOperationException(
                FixedSizeSerializer.class.getName()
                        + " serialises the pairs of a shuffle and no other objects: set it for"
                        + " the shuffle, not as spark.serializer");
    }
}
