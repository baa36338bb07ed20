// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.spark.basic.PrimitiveArrays;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.BroadcastCount;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes a value to a file, chunk by chunk. Belongs to the thread that serialises the value; its
 * helpers code chunks meanwhile, and the client sends them.
 *
 * <p><b>No file for small values.</b> Nobody knows how large a value is before it is serialised. So
 * chunks are held back until there are so many bytes that a file is worth its while; if the value
 * ends before, there never was a file.
 *
 * <p><b>Memory.</b> Chunks of byte arrays are coded from where they are. What is under way besides
 * is {@link ChunkThreads#AHEAD} chunks, plain and coded, as far as Spark grants memory for them,
 * and the buffers of the client. What is held back is not accounted for.
 */
final class ChunkWriter implements AutoCloseable {
    /** Bytes of a value: an owned buffer, or a part of an array that belongs to the value. */
    private record Plain(int flags, byte[] bytes, int offset, int length, boolean owned) {}

    private record Coding(Plain plain, Future<ChunkCodec.@Nullable Stored> result) {}

    private final ApplicationStore store;
    private final String path;
    private final ChunkCodec codec;
    private final ChunkMemory memory;
    private final @Nullable StoredCopy copy;
    private final long minSize;
    private final ArrayDeque<Plain> held = new ArrayDeque<>();
    private final ArrayDeque<Coding> coding = new ArrayDeque<>();
    private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
    private final List<Chunk> chunks = new ArrayList<>();
    private final Objects objects = new Objects();
    private final long begun = System.nanoTime();
    private long plainBytes;
    private long position;
    private @Nullable CrailOutputStream file;
    private @Nullable ChunkThreads threads;
    private @Nullable CrailException failure;
    private boolean finished;

    /**
     * A value that is not there yet.
     *
     * @param memory for chunks that are under way; the caller closes it, after the writer
     * @param copy gets all that is in the file; null if there is none
     * @param minSize bytes of a value from which on it has a file
     */
    ChunkWriter(
            ApplicationStore store,
            String path,
            ChunkCodec codec,
            ChunkMemory memory,
            @Nullable StoredCopy copy,
            long minSize) {
        this.store = store;
        this.path = path;
        this.codec = codec;
        this.memory = memory;
        this.copy = copy;
        this.minSize = minSize;
    }

    /** The stream of objects. */
    OutputStream objects() {
        return objects;
    }

    /** What the store said when it failed, if it did: then it is not the value's fault. */
    @Nullable CrailException failure() {
        return failure;
    }

    /** Writes an array of primitives, which must not change before {@link #finish}. */
    void writeArray(Object array) throws IOException {
        int width = PrimitiveArrays.width(array);
        int length = Array.getLength(array);
        int step = Chunk.SIZE / width;
        for (int done = 0; done < length; ) {
            int count = Math.min(step, length - done);
            int flags = Chunk.ARRAY | (done + count == length ? Chunk.ENDS_ARRAY : 0);
            if (array instanceof byte[] bytes) {
                add(new Plain(flags, bytes, done, count, false));
            } else {
                byte[] bytes = buffer();
                PrimitiveArrays.get(array, done, count, bytes);
                add(new Plain(flags, bytes, 0, count * width, true));
            }
            done += count;
        }
    }

    private byte[] buffer() {
        byte[] used = spare.poll();
        return used == null ? new byte[Chunk.SIZE] : used;
    }

    private void add(Plain chunk) throws IOException {
        plainBytes += chunk.length;
        if (file != null) {
            write(chunk);
            return;
        }
        held.add(chunk);
        if (plainBytes >= minSize) {
            begin();
        }
    }

    private void begin() throws IOException {
        try {
            file = store.createFile(path, plainBytes);
        } catch (CrailException e) {
            failure = e;
            throw e;
        }
        for (Plain next = held.poll(); next != null; next = held.poll()) {
            write(next);
        }
    }

    private void write(Plain chunk) throws IOException {
        if (!codec.transforms()) {
            append(chunk, null);
            return;
        }
        if (coding.size() == ChunkThreads.AHEAD) {
            appendOldest();
        }
        boolean granted = memory.tryTake();
        while (!granted && !coding.isEmpty()) {
            appendOldest();
            granted = memory.tryTake();
        }
        if (!granted) {
            append(chunk, codec.encode(chunk.bytes, chunk.offset, chunk.length));
            return;
        }
        ChunkThreads helpers = threads;
        if (helpers == null) {
            helpers = new ChunkThreads("crail-broadcast-write");
            threads = helpers;
        }
        coding.add(
                new Coding(
                        chunk,
                        helpers.submit(
                                () -> codec.encode(chunk.bytes, chunk.offset, chunk.length))));
    }

    private void appendOldest() throws IOException {
        Coding oldest = coding.remove();
        append(oldest.plain, ChunkThreads.await(oldest.result));
        memory.giveBack(1);
    }

    private void append(Plain plain, ChunkCodec.@Nullable Stored stored) throws IOException {
        if (chunks.size() == Chunk.MAX_CHUNKS) {
            throw refuse();
        }
        int length = stored == null ? plain.length : stored.size();
        int flags = plain.flags | (stored == null ? 0 : stored.flags());
        if (stored == null) {
            send(plain.bytes, plain.offset, length);
        } else {
            send(stored.bytes(), 0, length);
        }
        chunks.add(new Chunk(flags, plain.length, position, length));
        position += length;
        if (stored != null) {
            store.broadcasts().add(BroadcastCount.CHUNKS_ENCODED);
        }
        if (plain.owned && spare.size() < ChunkThreads.AHEAD) {
            spare.add(plain.bytes);
        }
    }

    private CrailException refuse() {
        CrailException refusal =
                new OutOfSpaceException(path + " would have more than " + Chunk.MAX_CHUNKS);
        failure = refusal;
        return refusal;
    }

    private void send(byte[] bytes, int offset, int length) throws CrailException {
        try {
            java.util.Objects.requireNonNull(file).write(bytes, offset, length);
        } catch (CrailException e) {
            failure = e;
            throw e;
        }
        if (copy != null) {
            copy.add(bytes, offset, length);
        }
    }

    /**
     * Makes the value visible to readers.
     *
     * @return where it is; null if it is too small for a file
     */
    @Nullable StoredValue finish(boolean javaObjects) throws IOException {
        objects.flushChunk();
        CrailOutputStream open = file;
        if (open == null) {
            return null;
        }
        while (!coding.isEmpty()) {
            appendOldest();
        }
        byte[] table = Chunk.encode(chunks);
        send(table, 0, table.length);
        try {
            open.close();
        } catch (CrailException e) {
            failure = e;
            throw e;
        }
        file = null;
        finished = true;
        count(position + table.length);
        return new StoredValue(path, position, chunks.size(), javaObjects);
    }

    private void count(long bytes) {
        store.broadcasts().add(BroadcastCount.VALUES_WRITTEN);
        store.broadcasts().add(BroadcastCount.BYTES_WRITTEN, bytes);
        store.broadcasts().add(BroadcastCount.WRITE_NANOS, System.nanoTime() - begun);
    }

    /** Ends the helpers. Without {@link #finish} before, nothing stays in the store. */
    @Override
    public void close() {
        if (threads != null) {
            threads.close();
        }
        if (copy != null && !finished) {
            copy.drop();
        }
        CrailOutputStream open = file;
        file = null;
        if (open != null) {
            store.discard(open);
        }
    }

    /** Collects what the serialiser writes, in chunks. */
    private final class Objects extends OutputStream {
        private byte[] bytes = new byte[0];
        private int used;

        @Override
        public void write(int b) throws IOException {
            room();
            bytes[used++] = (byte) b;
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            for (int done = 0; done < length; ) {
                room();
                int some = Math.min(length - done, bytes.length - used);
                System.arraycopy(source, offset + done, bytes, used, some);
                used += some;
                done += some;
            }
        }

        private void room() throws IOException {
            if (used == bytes.length) {
                flushChunk();
                bytes = buffer();
            }
        }

        void flushChunk() throws IOException {
            if (used > 0) {
                add(new Plain(0, bytes, 0, used, true));
                bytes = new byte[0];
                used = 0;
            }
        }
    }
}
