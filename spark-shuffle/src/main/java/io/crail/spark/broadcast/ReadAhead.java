// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Chunks in order, of which some are loaded ahead of their use, if there are helpers. Belongs to
 * one thread.
 */
final class ReadAhead {
    private final ChunkReader reader;
    private final Iterator<Chunk> wanted;
    private final ArrayDeque<Future<byte[]>> loading = new ArrayDeque<>();

    ReadAhead(ChunkReader reader, List<Chunk> chunks) {
        this.reader = reader;
        this.wanted = chunks.iterator();
    }

    /** The bytes of the next chunk; null if there is none. */
    byte @Nullable [] next() throws IOException {
        ChunkThreads threads = reader.threads();
        if (threads == null) {
            return wanted.hasNext() ? reader.load(wanted.next()) : null;
        }
        while (loading.size() < ChunkThreads.AHEAD && wanted.hasNext()) {
            Chunk chunk = wanted.next();
            loading.add(threads.submit(() -> reader.load(chunk)));
        }
        Future<byte[]> first = loading.poll();
        return first == null ? null : ChunkThreads.await(first);
    }
}
