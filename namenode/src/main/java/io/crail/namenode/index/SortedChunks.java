// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import io.crail.namenode.index.NameIndex.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries in order of their names: sorted arrays of up to {@link #CHUNK} entries under one sorted
 * array of these arrays.
 *
 * <p>Adding moves at most one chunk (1 KiB) and, once in a hundred times or so, the directory: 4
 * bytes for each 170 entries, 30 KiB for a million. So even at 100 million entries nothing moves
 * more than 3 MiB (a fraction of a millisecond). A third level would not pay.
 *
 * <p>A position is (chunk, index in it) packed into a long.
 */
final class SortedChunks {
    static final int CHUNK = 256;

    /** Capacities of chunks are multiples of this: less waste than doubling. */
    private static final int STEP = 64;

    private @Nullable Entry[][] chunks = new @Nullable Entry[4][];
    private int[] counts = new int[4];
    private int chunkCount;

    /** Takes over {@code size} sorted entries. */
    SortedChunks(@Nullable Entry[] sorted, int size) {
        chunks[0] = Arrays.copyOf(sorted, capacityFor(size));
        counts[0] = size;
        chunkCount = 1;
    }

    static long position(int chunk, int index) {
        return ((long) chunk << 32) | index;
    }

    /** The entry at a position, or null behind the last one. */
    @Nullable Entry at(long position) {
        int chunk = (int) (position >>> 32);
        return chunk < chunkCount ? chunks[chunk][(int) position] : null;
    }

    /** The position behind this one. */
    long next(long position) {
        int chunk = (int) (position >>> 32);
        int index = (int) position + 1;
        return index < counts[chunk] ? position(chunk, index) : position(chunk + 1, 0);
    }

    /** Position of the first entry whose name is greater than {@code name}. */
    long after(byte[] name) {
        int chunk = chunkOf(name);
        int found = search(chunk, name);
        int index = found >= 0 ? found + 1 : ~found;
        return index < counts[chunk] ? position(chunk, index) : position(chunk + 1, 0);
    }

    /** Adds an entry whose name is known to be absent. */
    void add(Entry entry) {
        int chunk = chunkOf(entry.name());
        int index = ~search(chunk, entry.name());
        assert index >= 0 : "name is present";
        if (counts[chunk] == CHUNK) {
            // Names that come in order fill chunks to the brim instead of leaving halves.
            int keep = chunk == chunkCount - 1 && index == CHUNK ? CHUNK : CHUNK / 2;
            split(chunk, keep);
            if (index > keep || keep == CHUNK) {
                chunk++;
                index -= keep;
            }
        }
        @Nullable Entry[] entries = chunks[chunk];
        int count = counts[chunk];
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, capacityFor(count + 1));
            chunks[chunk] = entries;
        }
        System.arraycopy(entries, index, entries, index + 1, count - index);
        entries[index] = entry;
        counts[chunk] = count + 1;
    }

    void remove(Entry entry) {
        int chunk = chunkOf(entry.name());
        int index = search(chunk, entry.name());
        @Nullable Entry[] entries = chunks[chunk];
        if (index < 0 || entries[index] != entry) {
            throw new IllegalStateException("the entry is not in this index");
        }
        int count = --counts[chunk];
        System.arraycopy(entries, index + 1, entries, index, count - index);
        entries[count] = null;
        if (chunk + 1 < chunkCount && (count == 0 || count + counts[chunk + 1] <= CHUNK / 2)) {
            join(chunk);
        } else if (chunk > 0 && (count == 0 || count + counts[chunk - 1] <= CHUNK / 2)) {
            join(chunk - 1);
        } else if (entries.length - count >= 2 * STEP) {
            chunks[chunk] = Arrays.copyOf(entries, capacityFor(count));
        }
    }

    void replace(Entry entry, Entry replacement) {
        int chunk = chunkOf(entry.name());
        int index = search(chunk, entry.name());
        if (index < 0 || chunks[chunk][index] != entry) {
            throw new IllegalStateException("the entry is not in this index");
        }
        chunks[chunk][index] = replacement;
    }

    private static int capacityFor(int count) {
        return Math.min(CHUNK, (count + STEP) / STEP * STEP);
    }

    /** The last chunk whose first name is not greater than {@code name}, or the first chunk. */
    private int chunkOf(byte[] name) {
        int low = 1;
        int high = chunkCount - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (NameOrder.compare(nameAt(middle, 0), name) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Index of the name in the chunk, or the complement of where it belongs. */
    private int search(int chunk, byte[] name) {
        int low = 0;
        int high = counts[chunk] - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = NameOrder.compare(nameAt(chunk, middle), name);
            if (order < 0) {
                low = middle + 1;
            } else if (order > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return ~low;
    }

    private byte[] nameAt(int chunk, int index) {
        Entry entry = chunks[chunk][index];
        assert entry != null;
        return entry.name();
    }

    /** Moves what lies behind the first {@code keep} entries to a new chunk. */
    private void split(int chunk, int keep) {
        int moved = counts[chunk] - keep;
        if (chunkCount == chunks.length) {
            int larger = chunkCount + (chunkCount >> 1);
            chunks = Arrays.copyOf(chunks, larger);
            counts = Arrays.copyOf(counts, larger);
        }
        System.arraycopy(chunks, chunk + 1, chunks, chunk + 2, chunkCount - chunk - 1);
        System.arraycopy(counts, chunk + 1, counts, chunk + 2, chunkCount - chunk - 1);
        chunkCount++;
        @Nullable Entry[] entries = chunks[chunk];
        @Nullable Entry[] right = new @Nullable Entry[capacityFor(moved)];
        System.arraycopy(entries, keep, right, 0, moved);
        chunks[chunk + 1] = right;
        counts[chunk + 1] = moved;
        if (moved > 0) {
            chunks[chunk] = Arrays.copyOf(Arrays.copyOf(entries, keep), capacityFor(keep));
            counts[chunk] = keep;
        }
    }

    /** Moves the next chunk's entries into this one. */
    private void join(int chunk) {
        int count = counts[chunk];
        int moved = counts[chunk + 1];
        @Nullable Entry[] joined = Arrays.copyOf(chunks[chunk], capacityFor(count + moved));
        System.arraycopy(chunks[chunk + 1], 0, joined, count, moved);
        chunks[chunk] = joined;
        counts[chunk] = count + moved;
        int behind = chunkCount - chunk - 2;
        System.arraycopy(chunks, chunk + 2, chunks, chunk + 1, behind);
        System.arraycopy(counts, chunk + 2, counts, chunk + 1, behind);
        chunkCount--;
        chunks[chunkCount] = new @Nullable Entry[0];
    }
}
