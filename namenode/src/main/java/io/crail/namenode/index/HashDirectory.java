// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import io.crail.namenode.index.NameIndex.Entry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds an entry by its name: extendible hashing (Fagin, Nievergelt, Pippenger, Strong: "Extendible
 * hashing - a fast access method for dynamic files", 1979) over small open-addressing tables.
 *
 * <p>The upper bits of the hash choose a bucket in a directory, the lower bits a slot in the
 * bucket, with linear probing and backward-shift deletion. A bucket doubles up to {@link
 * #MAX_SLOTS} slots and then splits in two by one more bit of the hash. So the longest pause is one
 * bucket (about 3,000 entries, tens of microseconds) and no table is ever held twice; a table that
 * migrates in steps would need both and a second probe in every lookup meanwhile.
 *
 * <p>Buckets shrink when entries go, but are not joined again: a container that has been large
 * keeps about 100 bytes for each 2,000 entries it once had, until it gets so small that {@link
 * NameIndex} drops the directory.
 */
final class HashDirectory {
    static final int MAX_SLOTS = 4096;
    private static final int MIN_SLOTS = 16;

    /** Upper bits used at most; the 12 lower ones choose the slot. */
    private static final int MAX_DEPTH = 20;

    private Bucket[] directory;
    private int depth;
    private int size;

    HashDirectory(int expected) {
        int slots = MIN_SLOTS;
        while (Bucket.load(slots) < expected && slots < MAX_SLOTS) {
            slots *= 2;
        }
        directory = new Bucket[] {new Bucket(0, slots)};
    }

    @Nullable Entry find(int hash, ByteBuffer buffer, int offset, int length) {
        @Nullable Entry[] slots = directory[index(hash)].slots;
        int mask = slots.length - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            Entry entry = slots[i];
            if (entry == null) {
                return null;
            }
            if (entry.nameHash() == hash && NameOrder.equal(entry.name(), buffer, offset, length)) {
                return entry;
            }
        }
    }

    @Nullable Entry find(int hash, byte[] name) {
        @Nullable Entry[] slots = directory[index(hash)].slots;
        int mask = slots.length - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            Entry entry = slots[i];
            if (entry == null) {
                return null;
            }
            if (entry.nameHash() == hash && Arrays.equals(entry.name(), name)) {
                return entry;
            }
        }
    }

    /** Adds an entry whose name is known to be absent. */
    void add(Entry entry) {
        int at = index(entry.nameHash());
        while (directory[at].isFull()) {
            Bucket bucket = directory[at];
            if (bucket.slots.length < MAX_SLOTS || !maySplit(bucket)) {
                bucket.resize(bucket.slots.length * 2);
            } else {
                split(at);
                at = index(entry.nameHash());
            }
        }
        directory[at].insert(entry);
        size++;
    }

    /** Removes this very entry. */
    void remove(Entry entry) {
        directory[index(entry.nameHash())].remove(entry);
        size--;
    }

    /** Puts {@code replacement} in the place of {@code entry}, which has the same name. */
    void replace(Entry entry, Entry replacement) {
        Bucket bucket = directory[index(entry.nameHash())];
        bucket.slots[bucket.slotOf(entry)] = replacement;
    }

    private int index(int hash) {
        return (int) ((hash & 0xFFFF_FFFFL) >>> (32 - depth));
    }

    /**
     * Whether splitting is worth while: were all hashes of a bucket equal, splitting would only
     * grow the directory, so it may have no more places than the entries justify.
     */
    private boolean maySplit(Bucket bucket) {
        return bucket.depth < MAX_DEPTH
                && (bucket.depth < depth || directory.length <= size / (MAX_SLOTS / 16));
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
        for (Entry entry : bucket.slots) {
            if (entry != null) {
                Bucket half = (entry.nameHash() & bit) == 0 ? low : high;
                if (half.isFull()) {
                    half.resize(half.slots.length * 2);
                }
                half.insert(entry);
            }
        }
        int places = 1 << (depth - bucket.depth);
        int start = at & -places;
        Arrays.fill(directory, start, start + places / 2, low);
        Arrays.fill(directory, start + places / 2, start + places, high);
    }

    /** One open-addressing table; all its hashes agree in their {@code depth} upper bits. */
    private static final class Bucket {
        final int depth;
        @Nullable Entry[] slots;
        int count;

        Bucket(int depth, int slots) {
            this.depth = depth;
            this.slots = new @Nullable Entry[slots];
        }

        /** How many entries a table of so many slots takes: about 0.7. */
        static int load(int slots) {
            return (slots * 45) >> 6;
        }

        boolean isFull() {
            return count >= load(slots.length);
        }

        void insert(Entry entry) {
            int mask = slots.length - 1;
            int i = entry.nameHash() & mask;
            while (slots[i] != null) {
                i = (i + 1) & mask;
            }
            slots[i] = entry;
            count++;
        }

        int slotOf(Entry entry) {
            int mask = slots.length - 1;
            int i = entry.nameHash() & mask;
            while (slots[i] != entry) {
                if (slots[i] == null) {
                    throw new IllegalStateException("the entry is not in this index");
                }
                i = (i + 1) & mask;
            }
            return i;
        }

        void remove(Entry entry) {
            int mask = slots.length - 1;
            int hole = slotOf(entry);
            int i = hole;
            while (true) {
                i = (i + 1) & mask;
                Entry next = slots[i];
                if (next == null) {
                    break;
                }
                int home = next.nameHash() & mask;
                if (((i - home) & mask) >= ((i - hole) & mask)) {
                    slots[hole] = next;
                    hole = i;
                }
            }
            slots[hole] = null;
            count--;
            if (count < slots.length / 8 && slots.length > MIN_SLOTS) {
                resize(slots.length / 2);
            }
        }

        void resize(int newLength) {
            @Nullable Entry[] old = slots;
            slots = new @Nullable Entry[newLength];
            count = 0;
            for (Entry entry : old) {
                if (entry != null) {
                    insert(entry);
                }
            }
        }
    }
}
