// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.util.SizeEstimator;
import org.apache.spark.util.collection.SortDataFormat;
import org.apache.spark.util.collection.Sorter;

/**
 * Keys and values as objects, and about how much memory they take. Belongs to the thread of the
 * task.
 */
final class PairArray<K, V> {
    private static final int FIRST = 64;

    /** To look at the size of each record would cost more than to sort it. */
    private static final int SAMPLE_EVERY = 256;

    private static final int SAMPLE_ALL_BELOW = 32;
    private static final int REFERENCE = 8;

    /** Keys at even places, their values behind them. */
    private Object[] pairs = new Object[2 * FIRST];

    private int count;
    private int samples;
    private double sampled;

    int count() {
        return count;
    }

    /** Whether the array cannot become larger once more: somebody else has to take what comes. */
    boolean isFull() {
        return count >= Integer.MAX_VALUE / 4;
    }

    void add(K key, V value) {
        if (2 * count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * pairs.length);
        }
        pairs[2 * count] = key;
        pairs[2 * count + 1] = value;
        if (count % SAMPLE_EVERY == 0 || count < SAMPLE_ALL_BELOW) {
            sampled += size(key) + size(value);
            samples++;
        }
        count++;
    }

    private static long size(Object object) {
        return object == null ? 0 : SizeEstimator.estimate(object);
    }

    /** Bytes of memory, about. */
    long estimate() {
        return samples == 0
                ? 0
                : (long) (sampled / samples * count) + (long) REFERENCE * pairs.length;
    }

    @SuppressWarnings("unchecked")
    K key(int number) {
        return (K) pairs[2 * number];
    }

    @SuppressWarnings("unchecked")
    V value(int number) {
        return (V) pairs[2 * number + 1];
    }

    /** Lets go of a record. */
    void forget(int number) {
        pairs[2 * number] = null;
        pairs[2 * number + 1] = null;
    }

    /** Sorts by keys; those that are equal stay in their order. */
    void sort(Comparator<? super K> order) {
        new Sorter<>(new Places<K>()).sort(pairs, 0, count, order);
    }

    /** How Spark's algorithm finds keys, and moves what belongs together. */
    private static final class Places<K> extends SortDataFormat<K, Object[]> {
        @Override
        @SuppressWarnings("unchecked")
        public K getKey(Object[] pairs, int number) {
            return (K) pairs[2 * number];
        }

        @Override
        public void swap(Object[] pairs, int one, int other) {
            Object key = pairs[2 * one];
            Object value = pairs[2 * one + 1];
            pairs[2 * one] = pairs[2 * other];
            pairs[2 * one + 1] = pairs[2 * other + 1];
            pairs[2 * other] = key;
            pairs[2 * other + 1] = value;
        }

        @Override
        public void copyElement(Object[] source, int from, Object[] target, int to) {
            target[2 * to] = source[2 * from];
            target[2 * to + 1] = source[2 * from + 1];
        }

        @Override
        public void copyRange(Object[] source, int from, Object[] target, int to, int length) {
            System.arraycopy(source, 2 * from, target, 2 * to, 2 * length);
        }

        @Override
        public Object[] allocate(int length) {
            return new Object[2 * length];
        }
    }
}
