// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CancelledException;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot's records from the engine and writes them in a thread of its own.
 *
 * <p>The engine thread fills chunk buffers, of which there is a fixed number; full ones go through
 * a queue to the writing thread ({@link SnapshotFile}), which hands them back empty. The engine
 * never waits: it asks {@link #hasRoom} before each record and comes back later when all buffers
 * are on their way. So a slow disk makes a snapshot slow and nothing else, and memory is bounded by
 * the number of buffers.
 *
 * <p>Every method is for the one engine thread, but for {@link #abort}, which any thread may call.
 */
public final class SnapshotWriter {
    /** A chunk is sent off when it holds this much. */
    static final int CHUNK = 256 << 10;

    static final int BUFFERS = 8;
    private static final int CHUNK_LIMIT = CHUNK + SnapshotLayout.MAX_RECORD;

    private final SnapshotFile file;
    private final BlockingQueue<WireWriter> empty = new ArrayBlockingQueue<>(BUFFERS);
    private final BlockingQueue<SnapshotFile.Command> full;
    private @Nullable WireWriter chunk;
    private int recordStart = -1;
    private long records;
    private boolean finished;

    SnapshotWriter(MetadataFiles files, FileName name, UUID cluster, SnapshotListener listener) {
        // Room for all buffers and the end mark: offering never fails.
        this.full = new ArrayBlockingQueue<>(BUFFERS + 1);
        for (int i = 0; i < BUFFERS; i++) {
            empty.add(newChunk());
        }
        this.file = new SnapshotFile(files, name, cluster, full, empty, listener);
        file.start();
    }

    /**
     * Whether a record may be begun now. Also true when the snapshot has failed, so that {@link
     * #begin} gets to say so.
     */
    public boolean hasRoom() {
        if (chunk == null) {
            chunk = empty.poll();
            if (chunk != null) {
                startChunk(chunk);
            }
        }
        return chunk != null || file.failure() != null;
    }

    /**
     * Starts a record and returns the writer of its body; {@link #end} completes it. A record that
     * was begun and not ended is forgotten.
     *
     * @throws IOException if the snapshot has failed or was aborted; the listener heard of it
     * @throws IllegalStateException without {@linkplain #hasRoom room}
     */
    public WireWriter begin(int type) throws IOException {
        IOException failure = file.failure();
        if (failure != null) {
            throw failure;
        }
        if (finished || !hasRoom() || chunk == null) {
            throw new IllegalStateException("no room in the snapshot's buffers, or finished");
        }
        abandon();
        recordStart = chunk.position();
        return chunk.i32(0).u16(type).u16(0);
    }

    /** Completes the record that was begun. */
    public void end() {
        WireWriter writer = chunk;
        if (writer == null || recordStart < 0) {
            throw new IllegalStateException("no snapshot record was begun");
        }
        int length = writer.position() - recordStart;
        if (length > SnapshotLayout.MAX_RECORD) {
            abandon();
            throw new IllegalStateException(
                    "snapshot record of "
                            + length
                            + " bytes, at most "
                            + SnapshotLayout.MAX_RECORD);
        }
        writer.setI32(recordStart, length);
        recordStart = -1;
        records++;
        if (writer.position() >= CHUNK) {
            send();
        }
    }

    /** No more records: the writing thread completes the snapshot and tells the listener. */
    public void finish() {
        if (finished) {
            return;
        }
        finished = true;
        abandon();
        if (chunk != null && chunk.position() > SnapshotLayout.CHUNK_BODY) {
            send();
        }
        full.add(new SnapshotFile.Command(null, records));
    }

    /** Gives the snapshot up: nothing of it is left. Without effect once it is complete. */
    public void abort() {
        file.abort(new CancelledException("the snapshot was given up"));
    }

    boolean hasEnded() {
        return file.hasEnded();
    }

    /** Waits, at most so long, for the writing thread to end; true if it has. */
    public boolean awaitEnd(long millis) throws InterruptedException {
        return file.awaitEnd(millis);
    }

    /** Forgets the record that was begun, if there is one. */
    public void abandon() {
        if (chunk != null && recordStart >= 0) {
            chunk.rewindTo(recordStart);
        }
        recordStart = -1;
    }

    private void send() {
        full.add(new SnapshotFile.Command(chunk, 0));
        chunk = null;
    }

    private static void startChunk(WireWriter writer) {
        writer.rewindTo(0);
        writer.i64(0).i64(0);
    }

    static WireWriter newChunk() {
        return new WireWriter(ByteBuffer.allocateDirect(CHUNK + (16 << 10)), CHUNK_LIMIT);
    }
}
