// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one container by name. Names are byte strings: equal only if all bytes are equal,
 * ordered as unsigned bytes.
 *
 * <p>Most directories hold a handful of entries: up to {@link #SMALL_MAX} of them are one sorted
 * array and nothing else. Beyond that a hash directory finds names and sorted chunks keep the
 * order; together they cost about 15 bytes an entry, and no single operation takes longer than some
 * tens of microseconds however many there are.
 *
 * <p>Not thread-safe: owned by the engine thread. Lookups allocate nothing.
 */
public final class NameIndex<E extends NameIndex.Entry> implements Iterable<E> {
    /** What has a name. Its hash comes from the {@link NameHash} that the index was made with. */
    public abstract static class Entry {
        private byte[] name;
        private int nameHash;

        /** An entry that keeps {@code name}; nobody may change the bytes any more. */
        protected Entry(byte[] name, int nameHash) {
            this.name = name;
            this.nameHash = nameHash;
        }

        /** The name; not to be changed. */
        public final byte[] name() {
            return name;
        }

        public final int nameHash() {
            return nameHash;
        }

        /** Gives another name, allowed only while the entry is in no index. */
        protected final void rename(byte[] newName, int newHash) {
            this.name = newName;
            this.nameHash = newHash;
        }
    }

    static final int SMALL_MAX = 32;

    /** An index that has shrunk to this becomes an array again. */
    private static final int SMALL_AGAIN = 8;

    private static final @Nullable Entry[] NONE = new @Nullable Entry[0];

    private final NameHash hash;

    /** The entries while there are few, sorted; else {@link #NONE}. */
    private @Nullable Entry[] small = NONE;

    private @Nullable Large large;
    private int size;
    private int changes;

    private record Large(HashDirectory byName, SortedChunks inOrder) {}

    public NameIndex(NameHash hash) {
        this.hash = hash;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** The entry whose name is these bytes of a buffer (absolute access), or null. */
    public @Nullable E find(ByteBuffer buffer, int offset, int length) {
        if (large != null) {
            return entry(
                    large.byName.find(hash.hash(buffer, offset, length), buffer, offset, length));
        }
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Entry candidate = smallAt(middle);
            int order = NameOrder.compare(candidate.name, buffer, offset, length);
            if (order == 0) {
                return entry(candidate);
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    public @Nullable E find(byte[] name) {
        if (large != null) {
            return entry(large.byName.find(hash.hash(name), name));
        }
        int index = searchSmall(name);
        return index < 0 ? null : entry(small[index]);
    }

    /** Adds an entry; false, and nothing changed, if its name is present. */
    public boolean add(E entry) {
        assert entry.nameHash() == hash.hash(entry.name()) : "hash of another key";
        if (large != null) {
            if (large.byName.find(entry.nameHash(), entry.name()) != null) {
                return false;
            }
            large.byName.add(entry);
            large.inOrder.add(entry);
        } else {
            int index = ~searchSmall(entry.name());
            if (index < 0) {
                return false;
            }
            if (size == SMALL_MAX) {
                large = enlarge();
                large.byName.add(entry);
                large.inOrder.add(entry);
            } else {
                insertSmall(index, entry);
            }
        }
        size++;
        changes++;
        return true;
    }

    /** Removes this very entry; one that is not in the index is a defect of the caller. */
    public void remove(E entry) {
        if (large != null) {
            large.byName.remove(entry);
            large.inOrder.remove(entry);
            size--;
            if (size <= SMALL_AGAIN) {
                reduce(large);
            }
        } else {
            int index = smallIndexOf(entry);
            size--;
            System.arraycopy(small, index + 1, small, index, size - index);
            small[size] = null;
            if (size == 0) {
                small = NONE;
            } else if (small.length > 4 && size <= small.length / 4) {
                small = Arrays.copyOf(small, small.length / 2);
            }
        }
        changes++;
    }

    /** Puts {@code replacement} in the place of {@code entry}; both have the same name. */
    public void replace(E entry, E replacement) {
        if (!Arrays.equals(entry.name(), replacement.name())) {
            throw new IllegalArgumentException("the names differ");
        }
        if (large != null) {
            large.byName.replace(entry, replacement);
            large.inOrder.replace(entry, replacement);
        } else {
            small[smallIndexOf(entry)] = replacement;
        }
    }

    /** The entry with the least name, or null. */
    public @Nullable E first() {
        return at(0);
    }

    /**
     * Passes up to {@code limit} entries to {@code out}, in order, beginning behind {@code cursor}
     * (which need not exist any more) or at the first. An entry that exists from the first to the
     * last page is passed exactly once. {@code out} must not change the index.
     *
     * @return whether there are entries behind the last one passed
     */
    public boolean page(byte @Nullable [] cursor, int limit, Consumer<? super E> out) {
        long position = cursor == null ? 0 : after(cursor);
        E next = at(position);
        for (int i = 0; i < limit && next != null; i++) {
            out.accept(next);
            position = next(position);
            next = at(position);
        }
        return next != null;
    }

    /** All entries in order; fails after any change of the index. */
    @Override
    public Iterator<E> iterator() {
        return new Iterator<>() {
            private final int expected = changes;
            private long position;

            @Override
            public boolean hasNext() {
                return at(position) != null;
            }

            @Override
            public E next() {
                if (expected != changes) {
                    throw new ConcurrentModificationException("the index has changed");
                }
                E entry = at(position);
                if (entry == null) {
                    throw new NoSuchElementException();
                }
                position = NameIndex.this.next(position);
                return entry;
            }
        };
    }

    // Positions are those of SortedChunks, or the index into the small array.

    private long after(byte[] name) {
        if (large != null) {
            return large.inOrder.after(name);
        }
        int index = searchSmall(name);
        return index >= 0 ? index + 1 : ~index;
    }

    private @Nullable E at(long position) {
        if (large != null) {
            return entry(large.inOrder.at(position));
        }
        return position < size ? entry(small[(int) position]) : null;
    }

    private long next(long position) {
        return large != null ? large.inOrder.next(position) : position + 1;
    }

    private Entry smallAt(int index) {
        Entry entry = small[index];
        assert entry != null;
        return entry;
    }

    private int searchSmall(byte[] name) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = NameOrder.compare(smallAt(middle).name, name);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return ~low;
    }

    private int smallIndexOf(Entry entry) {
        int index = searchSmall(entry.name);
        if (index < 0 || small[index] != entry) {
            throw new IllegalStateException("the entry is not in this index");
        }
        return index;
    }

    private void insertSmall(int index, Entry entry) {
        if (size == small.length) {
            small = Arrays.copyOf(small, size < 2 ? size + 1 : Math.min(SMALL_MAX, size * 2));
        }
        System.arraycopy(small, index, small, index + 1, size - index);
        small[index] = entry;
    }

    private Large enlarge() {
        HashDirectory byName = new HashDirectory(size + 1);
        for (int i = 0; i < size; i++) {
            byName.add(smallAt(i));
        }
        SortedChunks inOrder = new SortedChunks(small, size);
        small = NONE;
        return new Large(byName, inOrder);
    }

    private void reduce(Large from) {
        small = new @Nullable Entry[size];
        long position = 0;
        for (int i = 0; i < size; i++) {
            small[i] = from.inOrder.at(position);
            position = from.inOrder.next(position);
        }
        large = null;
    }

    /** Only entries of type E ever get in. */
    @SuppressWarnings("unchecked")
    private @Nullable E entry(@Nullable Entry entry) {
        return (E) entry;
    }
}
