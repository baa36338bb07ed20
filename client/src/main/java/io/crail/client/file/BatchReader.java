// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads many members with a window of pieces under way, and hands the pieces out either in their
 * order or as they arrive. On its strand.
 *
 * <p>A piece is a pooled buffer from the moment it is asked for until the application asks for the
 * next one. So the memory in use is bounded by the window, and by a share of the pool, lest one
 * reader take it all. Pieces end where extents end, so that each is one block read.
 */
public final class BatchReader {
    /** A reader takes at most this part of the pool. */
    private static final int POOL_SHARE = 2;

    /** Bytes of a member that are, or will be, in memory. */
    public static final class Piece {
        private final MemberFile member;
        private final long position;
        private final int length;
        private final BufferPool.Lease lease;
        private final Operation operation;
        private boolean done;

        Piece(
                MemberFile member,
                long position,
                int length,
                BufferPool.Lease lease,
                Operation operation) {
            this.member = member;
            this.position = position;
            this.length = length;
            this.lease = lease;
            this.operation = operation;
        }

        public MemberFile member() {
            return member;
        }

        /** Of the first byte, in the member. */
        public long position() {
            return position;
        }

        /** The bytes; good until the next piece is taken. */
        public ByteBuffer bytes() {
            return lease.buffer().slice(0, length).asReadOnlyBuffer();
        }
    }

    private final Engine engine;
    private final Strand strand;
    private final ExtentReader reader;
    private final MemberSet set;
    private final boolean inOrder;
    private final int window;
    private final long maxBytes;
    private final long timeoutNanos;

    /** Asked for and not handed out; in order of the bytes. */
    private final ArrayDeque<Piece> asked = new ArrayDeque<>();

    /** Those of them that have arrived, first come first. Only if any order will do. */
    private final ArrayDeque<Piece> arrived = new ArrayDeque<>();

    private long bytes;
    private int nextMember;
    private long nextPosition;
    private boolean starved;
    private @Nullable Piece lent;
    private @Nullable CrailException failure;

    /**
     * @param inOrder whether pieces are handed out in their order
     * @param window most pieces under way or waiting to be taken
     */
    public BatchReader(
            Engine engine,
            Strand strand,
            ExtentReader reader,
            MemberSet set,
            boolean inOrder,
            int window,
            long timeoutNanos) {
        this.engine = engine;
        this.strand = strand;
        this.reader = reader;
        this.set = set;
        this.inOrder = inOrder;
        this.window = Math.max(1, window);
        this.maxBytes = Math.max(BufferPool.MAX_BUFFER, engine.bufferUsage().limit() / POOL_SHARE);
        this.timeoutNanos = timeoutNanos;
    }

    public Strand strand() {
        return strand;
    }

    public MemberSet set() {
        return set;
    }

    public long timeoutNanos() {
        return timeoutNanos;
    }

    /** Path of the member of which the oldest piece under way is; null if none is. */
    public @Nullable String waitsFor() {
        for (Piece piece : asked) {
            if (!piece.done) {
                return set.path() + "/" + piece.member.name();
            }
        }
        return null;
    }

    /** Whether everything has been handed out. */
    public boolean isAtEnd() {
        skipEmpty();
        return asked.isEmpty() && failure == null && nextMember == members().size();
    }

    private List<MemberFile> members() {
        return set.members();
    }

    /** Whether {@link #take} has something to say. */
    public boolean isReady() {
        if (asked.isEmpty()) {
            fill();
        }
        if (failure != null || isAtEnd()) {
            return true;
        }
        Piece head = asked.peek();
        return inOrder ? head != null && head.done : !arrived.isEmpty();
    }

    /**
     * The next piece; the one before goes back to the pool. Null: none is ready, or all have been
     * handed out. A failed read fails the reader for good.
     */
    public @Nullable Piece take() throws CrailException {
        giveBack();
        fill();
        CrailException failed = failure;
        if (failed != null) {
            dropAll();
            throw failed;
        }
        Piece head = asked.peek();
        if (inOrder) {
            if (head == null || !head.done) {
                return null;
            }
            asked.remove();
            lent = head;
        } else {
            Piece first = arrived.poll();
            if (first == null) {
                return null;
            }
            asked.remove(first);
            lent = first;
        }
        return lent;
    }

    private void giveBack() {
        Piece last = lent;
        if (last != null) {
            lent = null;
            release(last);
        }
    }

    private void release(Piece piece) {
        bytes -= piece.length;
        piece.lease.close();
    }

    private void skipEmpty() {
        while (nextMember < members().size() && nextPosition >= current().length()) {
            nextMember++;
            nextPosition = 0;
        }
    }

    private MemberFile current() {
        return members().get(nextMember);
    }

    private void fill() {
        while (failure == null && asked.size() < window) {
            skipEmpty();
            if (nextMember == members().size()) {
                return;
            }
            MemberFile member = current();
            int length = pieceAt(member, nextPosition);
            if (!asked.isEmpty() && bytes + length > maxBytes) {
                return;
            }
            BufferPool.@Nullable Lease lease = engine.buffers().tryAcquire(length);
            if (lease == null && asked.isEmpty() && lent == null) {
                length = Math.min(length, BufferPool.MIN_BUFFER);
                lease = engine.buffers().tryAcquire(length);
            }
            if (lease == null) {
                waitForBuffer();
                return;
            }
            begin(member, length, lease);
        }
    }

    /** Somebody waits only if nothing is under way; then the strand gets a task. */
    private void waitForBuffer() {
        if (asked.isEmpty() && !starved) {
            starved = true;
            engine.buffers()
                    .whenAvailable(
                            BufferPool.MIN_BUFFER, () -> strand.execute(() -> starved = false));
        }
    }

    private static int pieceAt(MemberFile member, long position) {
        Extent extent = member.known(position);
        long within = extent == null ? position : position - extent.offset();
        long end = extent == null ? member.length() : Math.min(extent.end(), member.length());
        long length = BlockGeometry.MAX_BLOCK - within % BlockGeometry.MAX_BLOCK;
        return (int) Math.min(length, end - position);
    }

    private void begin(MemberFile member, int length, BufferPool.Lease lease) {
        Operation operation =
                engine.newOperation(
                        strand, "read " + set.path() + "/" + member.name(), timeoutNanos);
        engine.retain();
        engine.watch(operation);
        Piece piece = new Piece(member, nextPosition, length, lease, operation);
        asked.add(piece);
        bytes += length;
        nextPosition += length;
        Outcomes.whenDone(
                member.readExactly(
                        operation, reader, piece.position, lease.buffer().slice(0, length)),
                (done, cause) -> {
                    engine.unwatch(operation);
                    engine.release();
                    piece.done = true;
                    if (cause == null) {
                        arrived(piece);
                    } else if (failure == null && asked.contains(piece)) {
                        failure = cause;
                    }
                });
    }

    private void arrived(Piece piece) {
        if (!inOrder) {
            arrived.add(piece);
        }
        if (piece.position + piece.length == piece.member.length()) {
            piece.member.done();
        }
    }

    private void dropAll() {
        giveBack();
        arrived.clear();
        List<Piece> dropped = List.copyOf(asked);
        asked.clear();
        for (Piece piece : dropped) {
            // After this nobody touches the buffer.
            piece.operation.cancel(new CancelledException("read in vain"));
            release(piece);
        }
    }

    /**
     * Goes on elsewhere: what was asked for is dropped. Only for a reader in order.
     *
     * @param member index of the member
     * @param position in it
     */
    public void seek(int member, long position) {
        dropAll();
        nextMember = member;
        nextPosition = position;
    }

    /** Drops what was asked for and gives the handles back. */
    public void close() {
        dropAll();
        set.close();
    }
}
