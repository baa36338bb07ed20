// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.error.BusyException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.BroadcastCount;
import io.crail.spark.store.BroadcastCounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value's file, open for reading. The streams belong to the thread that deserialises the value;
 * {@link #load} may be called by its helpers, too.
 *
 * <p>Chunks are decoded, or copied to where they are wanted, from views: where the storage server
 * is on this host, from its memory.
 */
final class ChunkReader implements AutoCloseable {
    /** Values of fewer chunks are read without helpers. */
    private static final int WORTH_THREADS = 3;

    private final CrailFile file;
    private final ChunkCodec codec;
    private final BroadcastCounts counts;
    private final ChunkMemory memory;
    private final @Nullable ChunkThreads threads;
    private final InputStream objects;
    private final ArrayReader arrays;
    private volatile @Nullable CrailException failure;

    private ChunkReader(
            CrailFile file,
            ChunkCodec codec,
            BroadcastCounts counts,
            ChunkMemory memory,
            List<Chunk> chunks) {
        this.file = file;
        this.codec = codec;
        this.counts = counts;
        this.memory = memory;
        this.threads =
                chunks.size() < WORTH_THREADS ? null : new ChunkThreads("crail-broadcast-read");
        this.objects =
                new ObjectBytes(
                        new ReadAhead(
                                this, chunks.stream().filter(c -> !c.is(Chunk.ARRAY)).toList()));
        this.arrays =
                new ArrayReader(this, chunks.stream().filter(c -> c.is(Chunk.ARRAY)).toList());
    }

    /**
     * Opens a value.
     *
     * @param memory for chunks that are under way; the caller closes it, after the reader
     */
    static ChunkReader open(
            ApplicationStore store, StoredValue value, ChunkCodec codec, ChunkMemory memory)
            throws IOException {
        CrailFile file = store.client().open(value.path());
        boolean open = false;
        try {
            int tableSize = Chunk.tableSize(value.chunks());
            if (file.length() != value.length() + tableSize) {
                throw new CorruptDataException(
                        value.path()
                                + " has "
                                + file.length()
                                + " bytes, and should have "
                                + (value.length() + tableSize));
            }
            ByteBuffer table = ByteBuffer.allocate(tableSize);
            file.readFully(value.length(), table);
            List<Chunk> chunks = Chunk.decode(value.path(), table.flip(), value.length());
            ChunkReader reader = new ChunkReader(file, codec, store.broadcasts(), memory, chunks);
            open = true;
            return reader;
        } finally {
            if (!open) {
                file.close();
            }
        }
    }

    /** The stream of objects. */
    InputStream objects() {
        return objects;
    }

    /** The arrays, in order. */
    ArrayReader arrays() {
        return arrays;
    }

    ChunkMemory memory() {
        return memory;
    }

    @Nullable ChunkThreads threads() {
        return threads;
    }

    /** What the store said when it failed, if it did. */
    @Nullable CrailException failure() {
        return failure;
    }

    /** The bytes of a chunk. */
    byte[] load(Chunk chunk) throws IOException {
        byte[] bytes = new byte[chunk.plainLength()];
        load(chunk, bytes, 0);
        return bytes;
    }

    /** Copies the bytes of a chunk to an array. */
    void load(Chunk chunk, byte[] target, int offset) throws IOException {
        fetch(chunk, target, offset);
        counts.add(BroadcastCount.BYTES_READ, chunk.length());
        counts.add(
                BroadcastCount.BYTES_READ_SAME_HOST,
                file.bytesOnThisHost(chunk.position(), chunk.length()));
        if (!chunk.isPlain()) {
            counts.add(BroadcastCount.CHUNKS_DECODED);
        }
    }

    private void fetch(Chunk chunk, byte[] target, int offset) throws IOException {
        try (CrailView view = file.view(chunk.position(), chunk.length())) {
            List<ByteBuffer> buffers = view.buffers();
            if (chunk.isPlain()) {
                int next = offset;
                for (ByteBuffer each : buffers) {
                    int length = each.remaining();
                    each.get(target, next, length);
                    next += length;
                }
            } else {
                codec.decode(chunk, new BufferBytes(buffers), target, offset);
            }
        } catch (BusyException e) {
            copy(chunk, target, offset);
        } catch (CrailException e) {
            failure = e;
            throw e;
        }
    }

    /** Others of this JVM have all views that there may be. */
    private void copy(Chunk chunk, byte[] target, int offset) throws IOException {
        try {
            if (chunk.isPlain()) {
                file.readFully(chunk.position(), ByteBuffer.wrap(target, offset, chunk.length()));
            } else {
                byte[] stored = new byte[chunk.length()];
                file.readFully(chunk.position(), ByteBuffer.wrap(stored));
                codec.decode(chunk, new ByteArrayInputStream(stored), target, offset);
            }
        } catch (CrailException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void close() {
        if (threads != null) {
            threads.close();
        }
        file.close();
    }
}
