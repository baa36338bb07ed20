// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stored checksums of blocks that were read lately, bounded, least recently used ones first out.
 *
 * <p><b>Why what is in here stays true.</b> Readers ask for committed bytes only, and what is
 * committed of a block is its beginning. So when all bytes of a chunk are asked for, that chunk and
 * all before it are whole and committed, and their checksums never change under the generation
 * (docs/adr/0001-consistency.md), which is part of the key. These are kept. Those behind it are
 * not, though they came in the same unit: a writer may still have to store them.
 *
 * <p><b>What if it never was true.</b> A record may arrive damaged. Then the reader's check fails,
 * and it asks for the same range at once again. So until a record was read twice and was the same,
 * a question that repeats the one before it is answered from the medium. And whatever is in here:
 * bytes of another block or generation fail the check, because checksums are salted. Thread-safe.
 */
final class RecordCache {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** A block under a generation, in the one segment that a namespace is. */
    private record Key(int record, long generation) {
        static Key of(BlockReference block) {
            return new Key(block.record(), block.generation());
        }
    }

    /** The first checksums of a block. */
    private static final class Known {
        int[] sums = {};

        /** As many of them were the same in two readings. */
        int confirmed;

        int lastOffset = -1;
        int lastLength;

        boolean repeats(int offset, int length) {
            return lastOffset == offset && lastLength == length;
        }

        void asked(int offset, int length) {
            lastOffset = offset;
            lastLength = length;
        }
    }

    private final int limit;
    private final Map<Key, Known> blocks = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param limit blocks that are kept, with 1 KiB each at most
     */
    RecordCache(int limit) {
        this.limit = limit;
    }

    /**
     * The checksums of the chunks of a range, from the first one; null if they must be read. That
     * of a last chunk that is asked for in part is 0: such a chunk is the last one of its extent,
     * and is compared with what was committed with the extent, never with what is stored.
     */
    synchronized int @Nullable [] find(BlockReference block, int offset, int length) {
        int first = offset / CHUNK;
        int end = (offset + length) / CHUNK;
        int[] found = new int[(length + CHUNK - 1) / CHUNK];
        if (end <= first) {
            return found;
        }
        Known known = blocks.get(Key.of(block));
        if (known == null || known.sums.length < end) {
            return null;
        }
        if (known.confirmed < end && known.repeats(offset, length)) {
            return null;
        }
        known.asked(offset, length);
        System.arraycopy(known.sums, first, found, 0, end - first);
        return found;
    }

    /**
     * Keeps what may be kept of a record that was read because a range was asked for.
     *
     * @param sums of the block's chunks from its beginning
     */
    synchronized void add(BlockReference block, int offset, int length, int[] sums) {
        int end = (offset + length) / CHUNK;
        if (end == 0 || limit == 0) {
            return;
        }
        Known known = blocks.computeIfAbsent(Key.of(block), key -> new Known());
        int both = Math.min(end, known.sums.length);
        boolean same = Arrays.equals(known.sums, 0, both, sums, 0, both);
        known.confirmed = same ? Math.max(known.confirmed, both) : 0;
        if (end >= known.sums.length) {
            known.sums = Arrays.copyOf(sums, end);
        } else {
            System.arraycopy(sums, 0, known.sums, 0, end);
        }
        known.asked(offset, length);
        if (blocks.size() > limit) {
            blocks.remove(blocks.keySet().iterator().next());
        }
    }

    /** Number of blocks. */
    synchronized int size() {
        return blocks.size();
    }
}
