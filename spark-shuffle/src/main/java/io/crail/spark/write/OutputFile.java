// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.LeaseLostException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.spark.layout.MapOutputIndexBuilder;
import io.crail.spark.store.ApplicationStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * The file of a map output while it is written, and the buffers on their way to it. Belongs to the
 * thread of the task. There is no file before there is something to write: the output of a map
 * without records is nothing.
 *
 * <p><b>Buffers.</b> A buffer is lent by {@link #take} and given back by {@link #append}, which
 * hands it to the client as it is; it returns to the pool when its bytes are at the storage server.
 * When Spark grants no memory for another one, the oldest on its way is waited for; when none is,
 * the relief writes some out; and if there is nothing to write, one buffer is used without leave,
 * so that the task always goes on.
 */
final class OutputFile {
    /** The least that the application tells the store to expect. */
    private static final long SOME = 1 << 20;

    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** Pieces from here on end with a chunk: that costs a sixteenth of them at most. */
    private static final int FILLED_UP = 16 * CHUNK;

    private record Write(CrailFuture<Void> done, ByteBuffer buffer, int bytes) {}

    private final ApplicationStore store;
    private final MapTask task;
    private final String path;
    private final WriteMemory memory;
    private final MapOutputIndexBuilder index;
    private final ShuffleWriteMetricsReporter metrics;
    private final long maxInFlight;
    private final ArrayDeque<Write> inFlight = new ArrayDeque<>();
    private WriteMemory.Relief relief = () -> false;
    private long bytesInFlight;
    private long position;
    private long waitedNanos;
    private @Nullable CrailFuture<CrailOutputStream> creating;
    private @Nullable CrailOutputStream stream;

    OutputFile(
            ApplicationStore store, MapTask task, WriteMemory memory, MapOutputIndexBuilder index) {
        this.store = store;
        this.task = task;
        this.path = store.outputPath(task.shuffle(), task.mapId());
        this.memory = memory;
        this.index = index;
        this.metrics = task.metrics();
        this.maxInFlight = store.settings().writeInFlight();
    }

    /** Says how buffers can be freed that are not on their way yet. */
    void relief(WriteMemory.Relief how) {
        relief = how;
        memory.buffers().relief(() -> how.free() && settle());
    }

    /** There will be bytes: begins to create the file, so that nobody waits for it later. */
    void expectBytes() {
        creating = store.createAsync(path, SOME);
    }

    /** Position of the next byte. */
    long position() {
        return position;
    }

    /** A buffer of at least so many bytes, cleared. */
    ByteBuffer take(int bytes) throws IOException {
        acquire(io.crail.spark.store.DirectBuffers.sizeFor(bytes));
        return store.buffers().take(bytes);
    }

    private void acquire(long bytes) throws IOException {
        reap();
        while (!memory.buffers().tryAcquire(bytes)) {
            if (!makeRoom()) {
                memory.buffers().useWithoutLeave(bytes);
                return;
            }
        }
    }

    /** Accounts for heap that nothing works without, if need be after freeing buffers. */
    void acquireHeap(long bytes) throws IOException {
        reap();
        while (!memory.heap().tryAcquire(bytes)) {
            if (!memory.buffersCountAsHeap() || !makeRoom()) {
                memory.heap().useWithoutLeave(bytes);
                return;
            }
        }
    }

    /** Waits for the oldest buffer on its way, or has some written out; false if there is none. */
    private boolean makeRoom() throws IOException {
        if (inFlight.isEmpty()) {
            return relief.free();
        }
        awaitRoom();
        return true;
    }

    /** The store is what the task waits for, as when it appends. */
    private void awaitRoom() throws IOException {
        long start = System.nanoTime();
        try {
            awaitOldest();
        } finally {
            waitedNanos += System.nanoTime() - start;
        }
    }

    /** Gives back a buffer that is not written. */
    void give(ByteBuffer buffer) {
        memory.buffers().release(buffer.capacity());
        store.buffers().give(buffer);
    }

    /**
     * Appends a piece of a partition.
     *
     * <p>Behind a large one there are zeros up to the end of a chunk, as far as the buffer goes, so
     * that the next one begins with a chunk. Chunks that belong to two pieces cost much on flash,
     * where they are read, changed and written by each, and are read twice, by themselves: six
     * commands for a piece that needs one (docs/adr/0015-spark-shuffle.md).
     *
     * @param piece its buffer is given back
     */
    void appendPiece(Piece piece) throws IOException {
        note(piece, position);
        fillUp(position, piece.buffer());
        append(piece.buffer());
    }

    private void note(Piece piece, long offset) {
        index.add(piece.partition(), piece.beginsStream(), offset, piece.bytes());
        metrics.incBytesWritten(piece.bytes());
    }

    /**
     * Appends pieces by one write, each from a chunk of the file on. Only where a chunk begins, and
     * with a buffer that has room for all of it.
     *
     * @param large its buffer gets the others, which are given back
     * @param toEnd whether zeros follow up to the end of a block
     */
    void appendTogether(Piece large, List<Piece> small, boolean toEnd) throws IOException {
        ByteBuffer all = large.buffer();
        note(large, position);
        for (Piece each : small) {
            zeros(all, -all.position() & CHUNK - 1);
            note(each, position + all.position());
            all.put(each.buffer().flip());
            give(each.buffer());
        }
        int end = toEnd ? BlockGeometry.MAX_BLOCK : CHUNK;
        zeros(all, (int) (-(position + all.position()) & end - 1));
        append(all);
    }

    /**
     * Adds zeros to a large piece up to the end of a chunk, if the buffer has room for that.
     *
     * @param position where in the file the piece begins
     */
    static void fillUp(long position, ByteBuffer buffer) {
        int rest = (int) -(position + buffer.position()) & CHUNK - 1;
        if (buffer.position() < FILLED_UP || buffer.remaining() < rest) {
            return;
        }
        zeros(buffer, rest);
    }

    private static void zeros(ByteBuffer buffer, int bytes) {
        int left = bytes;
        while (left >= Long.BYTES) {
            buffer.putLong(0);
            left -= Long.BYTES;
        }
        while (left > 0) {
            buffer.put((byte) 0);
            left--;
        }
    }

    /** Notes a piece that was or will be appended with others. */
    void notePiece(int partition, long offset, long bytes) {
        index.add(partition, true, offset, bytes);
        metrics.incBytesWritten(bytes);
    }

    /**
     * Appends bytes.
     *
     * @param buffer the bytes from 0 to its position; it is given back
     */
    void append(ByteBuffer buffer) throws IOException {
        long start = System.nanoTime();
        try {
            buffer.flip();
            int bytes = buffer.remaining();
            CrailFuture<Void> done = open(bytes).appendAsync(buffer);
            inFlight.add(new Write(done, buffer, bytes));
            position += bytes;
            bytesInFlight += bytes;
            reap();
            while (bytesInFlight > maxInFlight) {
                awaitOldest();
            }
        } finally {
            waitedNanos += System.nanoTime() - start;
        }
    }

    private CrailOutputStream open(int bytes) throws IOException {
        CrailOutputStream open = stream;
        if (open == null) {
            open = created();
            if (open == null) {
                open = create(Math.max(bytes, SOME));
            }
            stream = open;
        }
        return open;
    }

    /** The file whose creation has begun; null if it has not, or failed, which may be no error. */
    private @Nullable CrailOutputStream created() throws IOException {
        CrailFuture<CrailOutputStream> begun = creating;
        if (begun == null) {
            return null;
        }
        try {
            CrailOutputStream created = begun.get();
            creating = null;
            return created;
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (ExecutionException e) {
            creating = null;
            return null;
        }
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return (IOException)
                new InterruptedIOException("the task was interrupted while it wrote its output")
                        .initCause(cause);
    }

    /**
     * Map ids are numbers of attempts, so that nobody else has the path; but Spark's old way gives
     * attempts of a map the same one. Then the last that succeeds has it.
     */
    private CrailOutputStream create(long expected) throws CrailException {
        try {
            return store.create(task.shuffle(), path, expected);
        } catch (NodeExistsException e) {
            String mine = path + "-" + task.context().taskAttemptId();
            return store.create(task.shuffle(), mine, expected);
        }
    }

    /** Takes back the buffers that have arrived. */
    private void reap() throws IOException {
        for (Write oldest = inFlight.peek();
                oldest != null && oldest.done.isDone();
                oldest = inFlight.peek()) {
            awaitOldest();
        }
    }

    /** Waits until nothing is on its way; says true. */
    private boolean settle() throws IOException {
        while (!inFlight.isEmpty()) {
            awaitOldest();
        }
        return true;
    }

    private void awaitOldest() throws IOException {
        Write oldest = inFlight.remove();
        try {
            oldest.done.get();
        } catch (InterruptedException e) {
            inFlight.addFirst(oldest);
            throw interrupted(e);
        } catch (ExecutionException e) {
            takeBack(oldest);
            if (e.getCause() instanceof CrailException cause) {
                throw ApplicationStore.explained(cause);
            }
            throw new InternalException("the map output could not be written: " + e, e);
        }
        takeBack(oldest);
    }

    private void takeBack(Write write) {
        bytesInFlight -= write.bytes;
        give(write.buffer);
    }

    /** Writes the index and makes the file visible. */
    void commit() throws IOException {
        CrailOutputStream open = stream;
        if (open != null) {
            long start = System.nanoTime();
            try {
                complete(open);
            } catch (LeaseLostException e) {
                if (!wasReplaced(open)) {
                    throw e;
                }
            }
            stream = null;
            waitedNanos += System.nanoTime() - start;
        }
        metrics.incWriteTime(waitedNanos);
    }

    private void complete(CrailOutputStream open) throws IOException {
        try {
            open.append(index.footer(position));
            settle();
            open.close();
        } catch (CrailException e) {
            throw ApplicationStore.explained(e);
        }
        if (!open.path().equals(path)) {
            store.client().rename(open.path(), path, RenameOption.REPLACE);
        }
    }

    /** Whether another attempt with the same map id has put its output in the place of this one. */
    private boolean wasReplaced(CrailOutputStream open) throws CrailException {
        return open.path().equals(path) && store.client().lookup(path).isPresent();
    }

    /** Leaves nothing behind; takes back all buffers. Idempotent; does nothing after a commit. */
    void abandon() {
        CrailFuture<CrailOutputStream> begun = creating;
        creating = null;
        if (begun != null) {
            // Nobody waits: what is created nevertheless goes again when it is aborted.
            var unused = begun.thenAccept(CrailOutputStream::abort);
        }
        CrailOutputStream open = stream;
        boolean visible = open != null && open.committedLength() > 0;
        stream = null;
        if (open != null) {
            open.abort();
        }
        for (Write write : inFlight) {
            // When it returns, the client does not touch the buffer any more.
            write.done.cancel(true);
            give(write.buffer);
        }
        inFlight.clear();
        if (open != null && visible) {
            // A long file is committed on the way. Nobody waits: the thread may have
            // been interrupted, and what stays goes with its shuffle.
            var unused = store.client().deleteAsync(open.path(), false);
        }
    }
}
