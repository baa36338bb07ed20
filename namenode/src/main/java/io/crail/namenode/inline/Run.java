// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

import org.jspecify.annotations.Nullable;

/**
 * A piece of an arena cut into chunks of one size. One 16-bit word per chunk, on the heap, holds
 * all there is to know: the bytes left unused by the value in it, or {@link #FREE} and the next
 * free chunk. So freeing and looking up a length touch no memory of the arena.
 */
final class Run {
    private static final int FREE = 0x8000;
    private static final int NONE = 0x7FFF;

    final int id;
    final Arena arena;
    final int base;
    final int sizeClass;
    final int chunkSize;
    private final char[] words;

    /** Chunks from here on were never used; they are in no list, so a new run costs no loop. */
    private int untouched;

    private int firstFree = NONE;
    private int used;

    // The list of runs of this class that have a free chunk.
    @Nullable Run previous;
    @Nullable Run next;

    Run(int id, Arena arena, int base, int bytes, int sizeClass) {
        this.id = id;
        this.arena = arena;
        this.base = base;
        this.sizeClass = sizeClass;
        this.chunkSize = SizeClasses.size(sizeClass);
        this.words = new char[bytes / chunkSize];
    }

    boolean isFull() {
        return used == words.length;
    }

    boolean isEmpty() {
        return used == 0;
    }

    /** Takes a free chunk for a value of {@code length} bytes; the run must not be full. */
    int take(int length) {
        int chunk;
        if (firstFree != NONE) {
            chunk = firstFree;
            firstFree = words[chunk] & ~FREE;
        } else {
            chunk = untouched++;
        }
        words[chunk] = (char) (chunkSize - length);
        used++;
        return chunk;
    }

    void release(int chunk) {
        words[chunk] = (char) (FREE | firstFree);
        firstFree = chunk;
        used--;
    }

    /** Whether a value is in this chunk; a cheap defence against handles used after free. */
    boolean holds(int chunk) {
        return chunk < untouched && (words[chunk] & FREE) == 0;
    }

    int length(int chunk) {
        return chunkSize - words[chunk];
    }

    int offset(int chunk) {
        return base + chunk * chunkSize;
    }
}
