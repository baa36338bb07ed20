// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.spi.BufferPool;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file from front to back, some pieces ahead of the application. On its strand.
 *
 * <p>The first piece is small and the window narrow, so that reading a header costs little; both
 * double with every piece that is used up. A move elsewhere drops what was read ahead and begins
 * small again. Pieces end where extents end, so that each is one block read.
 */
public final class StreamReader {
    private static final int FIRST_PIECE = 64 << 10;

    /** A piece that is, or will be, in memory. */
    private static final class Ahead {
        private final long start;
        private final int length;
        private final BufferPool.Lease lease;
        private final Operation operation;
        private boolean awaited;
        private boolean done;
        private @Nullable CrailException failure;

        Ahead(long start, int length, BufferPool.Lease lease, Operation operation) {
            this.start = start;
            this.length = length;
            this.lease = lease;
            this.operation = operation;
        }

        boolean holds(long position) {
            return position >= start && position < start + length;
        }
    }

    private final Engine engine;
    private final Strand strand;
    private final FileReader file;
    private final int maxWindow;
    private final ArrayDeque<Ahead> ahead = new ArrayDeque<>();
    private long timeoutNanos;
    private long position;
    private long next;
    private int pieceSize = FIRST_PIECE;
    private int window = 1;
    private boolean starved;

    public StreamReader(
            Engine engine, Strand strand, FileReader file, int maxWindow, long timeoutNanos) {
        this.engine = engine;
        this.strand = strand;
        this.file = file;
        this.maxWindow = Math.max(1, maxWindow);
        this.timeoutNanos = timeoutNanos;
    }

    public Strand strand() {
        return strand;
    }

    public FileReader file() {
        return file;
    }

    public long position() {
        return position;
    }

    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Moves; what was read ahead is kept if the new position lies in it. */
    public void seek(long target) {
        position = target;
    }

    /** Bytes that can be copied without waiting. */
    public int available() {
        long end = position;
        for (Ahead piece : ahead) {
            if (piece.failure == null && piece.done && piece.holds(end)) {
                end = piece.start + piece.length;
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, end - position);
    }

    /**
     * Copies what is there.
     *
     * @return bytes copied; 0 = wait until {@link #isReady}; -1 = the end
     */
    public int poll(ByteBuffer target) throws CrailException {
        if (position >= file.length()) {
            return -1;
        }
        fill();
        Ahead head = ahead.peek();
        if (head != null && head.failure != null && !head.awaited) {
            // It failed while nobody wanted it: what was away then may be back.
            dropAll();
            fill();
            head = ahead.peek();
        }
        if (head == null) {
            return 0;
        }
        head.awaited = true;
        if (!head.done) {
            return 0;
        }
        CrailException failure = head.failure;
        if (failure != null) {
            dropAll();
            throw failure;
        }
        int from = (int) (position - head.start);
        int length = Math.min(target.remaining(), head.length - from);
        target.put(head.lease.buffer().slice(from, length));
        position += length;
        if (position == head.start + head.length) {
            ahead.remove();
            head.lease.close();
            pieceSize = Math.min(BlockGeometry.MAX_BLOCK, 2 * pieceSize);
            window = Math.min(maxWindow, 2 * window);
            fill();
        }
        return length;
    }

    /**
     * The caller will wait no longer: calls off what it waits for, so that it is ready soon, and
     * {@link #poll} tells why.
     *
     * @return false if it waits for memory only
     */
    public boolean timeOut() {
        Ahead head = ahead.peek();
        if (head == null) {
            return false;
        }
        head.operation.timeOut();
        return true;
    }

    /** Whether {@link #poll} has something to say. */
    public boolean isReady() {
        Ahead head = ahead.peek();
        if (head == null) {
            fill();
            head = ahead.peek();
        }
        return head != null && head.done;
    }

    private void fill() {
        while (!ahead.isEmpty() && !ahead.element().holds(position)) {
            drop(ahead.remove());
        }
        if (ahead.isEmpty() && next != position) {
            next = position;
            pieceSize = FIRST_PIECE;
            window = 1;
        }
        while (ahead.size() < window && next < file.length()) {
            int length = pieceAt(next);
            BufferPool.@Nullable Lease lease = engine.buffers().tryAcquire(length);
            if (lease == null && ahead.isEmpty()) {
                length = Math.min(length, BufferPool.MIN_BUFFER);
                lease = engine.buffers().tryAcquire(length);
            }
            if (lease == null) {
                waitForBuffer();
                return;
            }
            ahead.add(begin(next, length, lease));
            next += length;
        }
    }

    /** Somebody waits only if nothing is under way; then the strand gets a task. */
    private void waitForBuffer() {
        if (ahead.isEmpty() && !starved) {
            starved = true;
            engine.buffers()
                    .whenAvailable(
                            BufferPool.MIN_BUFFER, () -> strand.execute(() -> starved = false));
        }
    }

    private int pieceAt(long offset) {
        Extent extent = file.known(offset);
        long within = extent == null ? offset : offset - extent.offset();
        long end = extent == null ? Long.MAX_VALUE : extent.end();
        long length = pieceSize - within % pieceSize;
        return (int) Math.min(length, Math.min(end - offset, file.length() - offset));
    }

    private Ahead begin(long start, int length, BufferPool.Lease lease) {
        Operation operation = engine.newOperation(strand, "read " + file.path(), timeoutNanos);
        engine.retain();
        engine.watch(operation);
        Ahead piece = new Ahead(start, length, lease, operation);
        Outcomes.whenDone(
                file.readExactly(operation, start, lease.buffer().slice(0, length)),
                (done, cause) -> {
                    engine.unwatch(operation);
                    engine.release();
                    piece.failure = cause;
                    piece.done = true;
                });
        return piece;
    }

    private static void drop(Ahead piece) {
        // After this nobody touches the buffer.
        piece.operation.cancel(new CancelledException("read ahead in vain"));
        piece.lease.close();
    }

    private void dropAll() {
        ahead.forEach(StreamReader::drop);
        ahead.clear();
        next = -1;
    }

    /** Drops what was read ahead; the file stays open. */
    public void close() {
        dropAll();
    }
}
