// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.layout.StreamFormat;
import io.crail.spark.store.DirectBuffers;
import io.crail.spark.store.MapOutput;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a reduce task will read, in order: all its streams are one sequence of bytes, which is cut
 * into fetches that are as large as one buffer where the bytes are neighbours in a file. So the
 * many small blocks of a range of partitions are one fetch, and a huge block is many. Guarded by
 * its fetcher.
 */
final class FetchPlan {
    private static final int LARGEST = DirectBuffers.MAX_SIZE;

    private final ArrayDeque<BlockStream> streams = new ArrayDeque<>();
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    private @Nullable BlockStream last;

    /** Adds what is needed of a map output. */
    void add(OpenBlocks source, MapOutput output) {
        MapBlocks wanted = source.blocks();
        StreamFormat format = output.index().format();
        last = null;
        output.index()
                .pieces(
                        wanted.from(),
                        wanted.to(),
                        (partition, begins, offset, length) -> {
                            BlockStream stream = last;
                            if (begins || stream == null) {
                                stream = new BlockStream(source, partition, format, length);
                                last = stream;
                                streams.add(stream);
                            } else {
                                stream.extend(length);
                            }
                            addFetches(source, offset, length);
                        });
    }

    private void addFetches(OpenBlocks source, long offset, long length) {
        long position = offset;
        long left = length;
        while (left > 0) {
            // At multiples of the largest size, as the blocks of the store.
            int some = (int) Math.min(left, LARGEST - position % LARGEST);
            Fetch before = fetches.peekLast();
            if (before == null || !before.extend(source, position, some, LARGEST)) {
                fetches.add(new Fetch(source, position, some));
            }
            position += some;
            left -= some;
        }
    }

    /** Number of fetches that have not begun. */
    int fetches() {
        return fetches.size();
    }

    @Nullable Fetch firstFetch() {
        return fetches.peek();
    }

    void removeFetch() {
        fetches.remove();
    }

    @Nullable BlockStream takeStream() {
        return streams.poll();
    }

    /** Forgets all of it. */
    void clear() {
        streams.clear();
        fetches.clear();
        last = null;
    }
}
