// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.Serializable;
import scala.math.Ordering;

/**
 * How the records of a shuffle become bytes, always the same number of them. Implementations are
 * serialised along with the shuffle and used by many tasks at a time: they keep no state.
 *
 * @param <K> of keys
 * @param <V> of values
 */
public interface RecordFormat<K, V> extends Serializable {
    /** Bytes of a key, 1 or more. */
    int keyLength();

    /** Bytes of a value, 0 or more. */
    int valueLength();

    /** Bytes of a record: those of its key, then those of its value. */
    default int recordLength() {
        return Math.addExact(keyLength(), valueLength());
    }

    /**
     * Writes the bytes of a key.
     *
     * @param target where there is room for them from the offset
     * @throws IllegalArgumentException if it cannot be written by so many bytes
     */
    void writeKey(K key, byte[] target, int offset);

    /**
     * Writes the bytes of a value.
     *
     * @param target where there is room for them from the offset
     * @throws IllegalArgumentException if it cannot be written by so many bytes
     */
    void writeValue(V value, byte[] target, int offset);

    /**
     * Makes a key of bytes.
     *
     * @param source not to be kept or changed
     */
    K readKey(byte[] source, int offset);

    /**
     * Makes a value of bytes.
     *
     * @param source not to be kept or changed
     */
    V readValue(byte[] source, int offset);

    /**
     * Whether an order of keys is that of their bytes, compared as unsigned numbers from the first
     * to the last. If not, or if it cannot be known, Spark's own sorter is used.
     */
    boolean sortsAsBytes(Ordering<?> order);
}
