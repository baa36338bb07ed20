// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Chunks in order, of which some are loaded ahead of their use, as far as there are helpers and
 * memory. Belongs to one thread.
 */
final class ReadAhead {
    private final ChunkReader reader;
    private final Iterator<Chunk> wanted;
    private final ArrayDeque<Future<byte[]>> loading = new ArrayDeque<>();

    /** Whether the chunk that is in use was loaded ahead. */
    private boolean holdsMemory;

    ReadAhead(ChunkReader reader, List<Chunk> chunks) {
        this.reader = reader;
        this.wanted = chunks.iterator();
    }

    /** The bytes of the next chunk, those before are of no use any more; null if there is none. */
    byte @Nullable [] next() throws IOException {
        if (holdsMemory) {
            reader.memory().giveBack(1);
            holdsMemory = false;
        }
        loadAhead();
        Future<byte[]> first = loading.poll();
        if (first == null) {
            return wanted.hasNext() ? reader.load(wanted.next()) : null;
        }
        holdsMemory = true;
        return ChunkThreads.await(first);
    }

    private void loadAhead() {
        ChunkThreads threads = reader.threads();
        while (threads != null
                && loading.size() < ChunkThreads.AHEAD
                && wanted.hasNext()
                && reader.memory().tryTake()) {
            Chunk chunk = wanted.next();
            loading.add(threads.submit(() -> reader.load(chunk)));
        }
    }
}
