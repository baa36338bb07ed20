// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A map from 64-bit ids to objects: extendible hashing over small open-addressing tables, as in
 * {@link HashDirectory}, so that no put ever rehashes more than a few thousand entries.
 *
 * <p>Not thread-safe: owned by the engine thread. No allocation per lookup. Keys may be any long,
 * but are expected not to be chosen by an adversary.
 */
public final class LongMap<V> {
    private static final int MAX_SLOTS = 4096;
    private static final int MIN_SLOTS = 16;
    private static final int MAX_DEPTH = 20;
    private static final long END = 1L << 32;

    private Bucket[] directory = {new Bucket(0, MIN_SLOTS)};
    private int depth;
    private int size;

    public int size() {
        return size;
    }

    public @Nullable V get(long key) {
        int hash = hash(key);
        Bucket bucket = directory[index(hash)];
        return value(bucket.values[bucket.slotOf(key, hash)]);
    }

    /** Maps {@code key} to {@code value}; the value it was mapped to before, or null. */
    public @Nullable V put(long key, V value) {
        int hash = hash(key);
        Bucket bucket = directory[index(hash)];
        int slot = bucket.slotOf(key, hash);
        Object old = bucket.values[slot];
        if (old == null) {
            while (bucket.isFull()) {
                if (bucket.keys.length < MAX_SLOTS || bucket.depth == MAX_DEPTH) {
                    bucket.resize(bucket.keys.length * 2);
                } else {
                    split(index(hash));
                    bucket = directory[index(hash)];
                }
            }
            slot = bucket.slotOf(key, hash);
            bucket.keys[slot] = key;
            bucket.count++;
            size++;
        }
        bucket.values[slot] = value;
        return value(old);
    }

    /** Removes a key; the value it was mapped to, or null. */
    public @Nullable V remove(long key) {
        int hash = hash(key);
        Bucket bucket = directory[index(hash)];
        int slot = bucket.slotOf(key, hash);
        Object old = bucket.values[slot];
        if (old != null) {
            bucket.remove(slot);
            size--;
        }
        return value(old);
    }

    /** Passes every value to {@code out}, in no order; {@code out} must not change the map. */
    public void forEach(Consumer<? super V> out) {
        for (long cursor = 0; cursor != END; ) {
            cursor = advance(cursor, out);
        }
    }

    /**
     * Passes a slice of up to some 3,000 values to {@code out} and returns the cursor of the next
     * slice, or -1 after the last; the first cursor is 0. The map may change between slices: a key
     * that is there throughout is passed exactly once, because a slice is a range of hashes, and
     * ranges only ever split. A cursor that never was one begins with the slice that it falls into.
     */
    public long visit(long cursor, Consumer<? super V> out) {
        if (cursor < 0 || cursor >= END) {
            return -1;
        }
        long next = advance(cursor, out);
        return next == END ? -1 : next;
    }

    private long advance(long cursor, Consumer<? super V> out) {
        Bucket bucket = directory[index((int) cursor)];
        for (Object value : bucket.values) {
            V v = value(value);
            if (v != null) {
                out.accept(v);
            }
        }
        long width = END >>> bucket.depth;
        return (cursor & -width) + width;
    }

    private int index(int hash) {
        return (int) ((hash & 0xFFFF_FFFFL) >>> (32 - depth));
    }

    private void split(int at) {
        Bucket bucket = directory[at];
        if (bucket.depth == depth) {
            Bucket[] doubled = new Bucket[directory.length * 2];
            for (int i = 0; i < doubled.length; i++) {
                doubled[i] = directory[i >> 1];
            }
            directory = doubled;
            depth++;
            at *= 2;
        }
        Bucket low = new Bucket(bucket.depth + 1, MAX_SLOTS / 2);
        Bucket high = new Bucket(bucket.depth + 1, MAX_SLOTS / 2);
        int bit = 1 << (31 - bucket.depth);
        for (int i = 0; i < bucket.keys.length; i++) {
            Object value = bucket.values[i];
            if (value != null) {
                int hash = hash(bucket.keys[i]);
                Bucket half = (hash & bit) == 0 ? low : high;
                if (half.isFull()) {
                    half.resize(half.keys.length * 2);
                }
                half.insert(bucket.keys[i], hash, value);
            }
        }
        int places = 1 << (depth - bucket.depth);
        int start = at & -places;
        Arrays.fill(directory, start, start + places / 2, low);
        Arrays.fill(directory, start + places / 2, start + places, high);
    }

    /** The upper half of MurmurHash3's 64-bit finaliser (Appleby). */
    private static int hash(long key) {
        long h = key;
        h ^= h >>> 33;
        h *= 0xFF51AFD7ED558CCDL;
        h ^= h >>> 33;
        h *= 0xC4CEB9FE1A85EC53L;
        return (int) (h >>> 32);
    }

    /** Only values of type V ever get in. */
    @SuppressWarnings("unchecked")
    private @Nullable V value(@Nullable Object value) {
        return (V) value;
    }

    private static final class Bucket {
        final int depth;
        long[] keys;
        @Nullable Object[] values;
        int count;

        Bucket(int depth, int slots) {
            this.depth = depth;
            this.keys = new long[slots];
            this.values = new @Nullable Object[slots];
        }

        boolean isFull() {
            return count >= (keys.length * 45) >> 6;
        }

        /** The slot that holds the key, or the free one where it belongs. */
        int slotOf(long key, int hash) {
            int mask = keys.length - 1;
            int i = hash & mask;
            while (values[i] != null && keys[i] != key) {
                i = (i + 1) & mask;
            }
            return i;
        }

        void insert(long key, int hash, Object value) {
            int slot = slotOf(key, hash);
            keys[slot] = key;
            values[slot] = value;
            count++;
        }

        void remove(int slot) {
            int mask = keys.length - 1;
            int hole = slot;
            int i = slot;
            while (true) {
                i = (i + 1) & mask;
                if (values[i] == null) {
                    break;
                }
                int home = hash(keys[i]) & mask;
                if (((i - home) & mask) >= ((i - hole) & mask)) {
                    keys[hole] = keys[i];
                    values[hole] = values[i];
                    hole = i;
                }
            }
            values[hole] = null;
            count--;
            if (count < keys.length / 8 && keys.length > MIN_SLOTS) {
                resize(keys.length / 2);
            }
        }

        void resize(int newLength) {
            long[] oldKeys = keys;
            @Nullable Object[] oldValues = values;
            keys = new long[newLength];
            values = new @Nullable Object[newLength];
            count = 0;
            for (int i = 0; i < oldKeys.length; i++) {
                Object value = oldValues[i];
                if (value != null) {
                    insert(oldKeys[i], hash(oldKeys[i]), value);
                }
            }
        }
    }
}
