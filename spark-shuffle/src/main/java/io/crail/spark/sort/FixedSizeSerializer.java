// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.Serializable;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;

/**
 * Spark's serialiser for the records of one shuffle, all of the same size. Set it for a shuffle
 * ({@code ShuffledRDD.setSerializer}, or {@link FixedSizeShuffles}), not for an application: it
 * knows nothing but pairs of its format. It works with any shuffle manager; that of crail writes
 * records by it without an object stream, and sorts them by their bytes. Thread-safe.
 *
 * @param <K> of keys
 * @param <V> of values
 */
public final class FixedSizeSerializer<K, V> extends Serializer implements Serializable {
    private static final long serialVersionUID = 1L;

    private final RecordFormat<K, V> format;

    /** A serialiser of records of this format. */
    public FixedSizeSerializer(RecordFormat<K, V> format) {
        if (format.keyLength() < 1 || format.valueLength() < 0) {
            throw new IllegalArgumentException(
                    format + " has no bytes for keys, or less than none for values");
        }
        this.format = format;
    }

    /** What the records are like. */
    public RecordFormat<K, V> format() {
        return format;
    }

    @Override
    public SerializerInstance newInstance() {
        return new FixedSizeInstance<>(format);
    }

    /** Records do not know of each other. */
    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }
}
