// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.ExtentReader;
import io.crail.client.data.RunningChecksum;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.NodeStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Turns appended bytes into blocks: collect, cut to granted blocks, write several at a time, commit
 * the contiguous prefix.
 *
 * <p><b>Threads.</b> All state belongs to the writer's strand; callers enter it. Completions of
 * writes, grants and commits come as tasks of the strand, so the writer goes on while the
 * application computes.
 *
 * <p><b>Way of a byte.</b> It is appended to the buffer (or comes with the application's buffer),
 * waits as a fragment, becomes part of a piece when its block is known, is at the server when the
 * piece is done, and belongs to the file when a commit covered it. Fragments wait for a block's
 * worth of bytes or a flush, so that a small file gets a block that fits.
 *
 * <p><b>Order.</b> Pieces are cut in the order of the bytes. Pieces of different chunks may arrive
 * in any order; a piece that begins inside a chunk waits for the one that ended there, because both
 * write that chunk's checksum and the later one must win.
 *
 * <p><b>Losing a server.</b> Bytes in the pool are kept until their block is complete or committed.
 * If the server of an incomplete block is lost, everything from the first byte that is not
 * committed in that block is cut anew into blocks on other servers, if it is still held; else the
 * stream fails. Nothing behind a failed byte is ever committed, because the completed prefix ends
 * there.
 */
public final class FileWriter {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;
    private static final int MAX_REWINDS = 8;

    /** The namenode bounds the grants of a lease: very long files are committed on the way. */
    private static final int MAX_UNCOMMITTED_BLOCKS = 1024;

    private static final int[] NO_CHECKSUMS = {};

    private final WriterContext context;
    private final BlockIo io;
    private final boolean checksums;
    private final int depth;
    private final GrantSupply grants;
    private final CommitQueue commits;
    private final RunningChecksum running = new RunningChecksum();

    private final PressureRelief pressure;

    private final ArrayDeque<Fragment> fragments = new ArrayDeque<>();
    private final PieceQueue pieces;
    private final ArrayDeque<OpenBlock> blocks = new ArrayDeque<>();

    private final WriteBuffer buffer;

    private @Nullable OpenBlock current;
    private @Nullable CrailException failure;
    private long position;
    private long assignedLength;
    private long flushTarget;
    private int underWay;
    private int rewinds;
    private boolean closing;
    private boolean abandoned;
    private boolean pressed;

    /**
     * A writer that holds the lease of a file.
     *
     * @param grants blocks that were granted with the lease
     */
    public FileWriter(
            Engine engine,
            Session session,
            BlockIo io,
            Strand strand,
            Lease lease,
            List<BlockReference> grants,
            int depth,
            long timeoutNanos) {
        this.context =
                new WriterContext(
                        engine,
                        session,
                        strand,
                        lease.path(),
                        lease.status().id(),
                        lease.handle(),
                        lease.incarnation(),
                        timeoutNanos);
        this.io = io;
        this.checksums = lease.status().has(NodeStatus.CHECKSUMS);
        this.depth = depth;
        this.grants = new GrantSupply(context);
        this.grants.add(grants);
        this.commits = new CommitQueue(context, new CommitView(), lease.status());
        this.position = lease.status().length();
        this.assignedLength = position;
        this.pieces = new PieceQueue(position);
        this.buffer = new WriteBuffer(context, this::pump);
        this.flushTarget = position;
        context.afterGrant(this::granted);
        this.pressure = PressureRelief.begin(context, this::relievePressure);
    }

    /** The right to write, as it was obtained. */
    public record Lease(String path, NodeStatus status, long handle, int incarnation) {}

    /**
     * Goes on in the last block of the file. The bytes of its partial chunk are read back, because
     * its checksum must be continued; the committed checksum verifies them.
     */
    public CompletableFuture<Void> resume(Operation operation, Extent last, ExtentReader reader) {
        BlockReference block = last.block();
        int needed = BlockReference.READ | BlockReference.WRITE;
        int partial = last.length() % CHUNK;
        if (last.length() >= block.length()
                || last.end() != position
                || (block.rights() & BlockReference.WRITE) == 0
                || (checksums && partial > 0 && (block.rights() & needed) != needed)) {
            return CompletableFuture.completedFuture(null);
        }
        OpenBlock open = new OpenBlock(block, position, last.length());
        if (!checksums || partial == 0) {
            current = open;
            blocks.add(open);
            return CompletableFuture.completedFuture(null);
        }
        ByteBuffer chunk = ByteBuffer.allocate(partial);
        return reader.read(operation, context.path(), last, last.length() - partial, chunk, true)
                .handle(
                        (done, unreadable) -> {
                            // If not, the next bytes just go into a block of their own.
                            if (unreadable == null) {
                                running.resume(chunk);
                                current = open;
                                blocks.add(open);
                            }
                            return null;
                        });
    }

    public Strand strand() {
        return context.strand();
    }

    public String path() {
        return context.path();
    }

    public long position() {
        return position;
    }

    public long committedLength() {
        return commits.committedLength();
    }

    public long timeoutNanos() {
        return context.timeoutNanos();
    }

    public void timeoutNanos(long nanos) {
        context.timeoutNanos(nanos);
    }

    /** Why the writer failed, or null. */
    public @Nullable CrailException failure() {
        return failure;
    }

    public boolean isClosed() {
        return commits.isClosed() || abandoned;
    }

    /**
     * Copies bytes into the buffer, as many as there is room for without waiting; zero means that
     * the caller must wait until {@link #hasRoom}.
     */
    public int offer(ByteBuffer source) {
        int before = source.remaining();
        while (source.hasRemaining() && hasRoom()) {
            int left = source.remaining();
            boolean full = buffer.put(source);
            position += left - source.remaining();
            if (full) {
                collect(false);
            }
        }
        return before - source.remaining();
    }

    /** Whether {@link #offer} would take bytes now; obtains a buffer if need be. */
    public boolean hasRoom() {
        if (failure != null || fragments.size() + underWay >= 2 * depth) {
            return false;
        }
        OpenBlock block = current;
        long ahead = position - assignedLength;
        return buffer.hasRoom(block == null ? ahead : block.assigned() + ahead, position);
    }

    /**
     * Somebody needs memory: writes what only waits, and gives up what is only held for the case
     * that a server is lost.
     */
    private void relievePressure() {
        if (failure != null || isClosed()) {
            return;
        }
        pressed = true;
        pieces.giveUpHeld();
        flushTarget = position;
        collect(true);
    }

    /** Queues what is in the buffer. */
    private void collect(boolean letGo) {
        Fragment fragment = buffer.take(letGo);
        if (fragment != null) {
            fragments.add(fragment);
            if (buffer.isMemoryShort()) {
                flushTarget = position;
            }
        }
        pump();
    }

    /**
     * Appends the application's direct buffer without a copy.
     *
     * @return done when the bytes are at the servers and the buffer is the application's again
     */
    public CompletableFuture<Void> append(ByteBuffer source) {
        CrailException failed = failure;
        if (failed != null) {
            return CompletableFuture.failedFuture(failed);
        }
        CompletableFuture<Void> written = new CompletableFuture<>();
        int length = source.remaining();
        if (length == 0) {
            written.complete(null);
            return written;
        }
        collect(false);
        ByteBuffer data = source.slice(source.position(), length);
        position += length;
        fragments.add(new Fragment(data, DataOwner.application(written, length)));
        flushTarget = Math.max(flushTarget, position);
        pump();
        return written;
    }

    /** Begins to write everything collected. */
    public void flush() {
        flushTarget = position;
        collect(closing);
    }

    /** Commits everything appended so far; with {@code close} gives the lease back. */
    public CompletableFuture<NodeStatus> commit(boolean close) {
        CrailException failed = failure;
        if (failed != null) {
            return CompletableFuture.failedFuture(failed);
        }
        closing |= close;
        flush();
        return commits.request(position, close);
    }

    private void granted(@Nullable CrailException cause) {
        boolean needed = !fragments.isEmpty() && grants.isEmpty();
        if (cause != null && needed && mustAssign()) {
            fail(cause);
        } else {
            pump();
        }
    }

    private boolean mustAssign() {
        OpenBlock block = current;
        boolean room = block != null && block.room() > 0;
        long unassigned = unassigned();
        return unassigned > 0
                && (room || unassigned >= BlockGeometry.MAX_BLOCK || flushTarget > assignedLength);
    }

    private long unassigned() {
        return position - assignedLength - buffer.collected();
    }

    private void pump() {
        while (failure == null && underWay < depth && mustAssign()) {
            OpenBlock block = current;
            if (block == null || block.room() == 0) {
                BlockReference grant =
                        grants.take(
                                unassigned(),
                                closing,
                                flushTarget > assignedLength,
                                assignedLength);
                if (grant == null) {
                    break;
                }
                block = new OpenBlock(grant, assignedLength, 0);
                running.reset();
                blocks.add(block);
                current = block;
            }
            if (block.assigned() % CHUNK != 0 && pieces.isLastUnderWay(block)) {
                break;
            }
            cut(block);
        }
        if (failure == null) {
            if (blocks.size() > MAX_UNCOMMITTED_BLOCKS) {
                commits.early(pieces.completedLength());
            }
            commits.pump();
        }
    }

    private void cut(OpenBlock block) {
        Fragment fragment = fragments.element();
        ByteBuffer rest = fragment.data();
        int length = Math.min(rest.remaining(), block.room());
        ByteBuffer data = rest.slice(rest.position(), length);
        rest.position(rest.position() + length);
        if (!rest.hasRemaining()) {
            fragments.remove();
        }
        int offset = block.assigned();
        int[] sums = checksums ? running.update(block.reference(), offset, data) : NO_CHECKSUMS;
        Piece piece =
                new Piece(block, offset, data, fragment.owner(), checksums ? running.tail() : 0);
        block.assign(length);
        assignedLength += length;
        pieces.add(piece);
        write(piece, sums);
    }

    private void write(Piece piece, int[] sums) {
        underWay++;
        Operation operation = context.begin("write ");
        piece.underWay(operation);
        Outcomes.whenDone(
                io.write(
                        operation,
                        piece.block().reference(),
                        piece.offset(),
                        piece.data().duplicate(),
                        sums),
                (done, cause) -> {
                    context.end(operation);
                    underWay--;
                    if (piece.isDropped() || failure != null) {
                        pump();
                    } else if (cause != null) {
                        writeFailed(piece, cause);
                    } else {
                        piece.done();
                        piece.owner().written(piece.length());
                        if (pressed) {
                            piece.owner().giveUpIfWritten();
                        }
                        pieces.advance(commits.committedLength());
                        pump();
                    }
                });
    }

    private void writeFailed(Piece piece, CrailException cause) {
        if (cause.code() == ErrorCode.SERVER_LOST
                && rewinds < MAX_REWINDS
                && pieces.holdsFrom(piece.block())) {
            rewinds++;
            rewind(piece.block(), cause);
            pump();
        } else {
            fail(context.meaning(cause));
        }
    }

    /** Takes back all pieces from the block on, and the blocks, and queues the bytes again. */
    private void rewind(OpenBlock lost, CrailException cause) {
        assignedLength = lost.base() + lost.committed();
        for (Piece piece : pieces.takeBack(assignedLength, cause)) {
            fragments.addFirst(new Fragment(piece.data().duplicate(), piece.owner()));
        }
        List<BlockId> useless = grants.exclude(lost.reference().server());
        while (!blocks.isEmpty() && blocks.getLast() != lost) {
            useless.add(blocks.removeLast().reference().id());
        }
        if (lost.committed() > 0) {
            lost.seal();
        } else {
            blocks.removeLast();
            useless.add(lost.reference().id());
        }
        current = null;
        flushTarget = Math.max(flushTarget, assignedLength + 1);
        commits.giveBack(useless);
    }

    private void fail(CrailException cause) {
        if (failure != null) {
            return;
        }
        CrailException meaning = context.meaning(cause);
        failure = meaning;
        pieces.fail(meaning);
        fragments.forEach(fragment -> fragment.owner().fail(meaning));
        fragments.clear();
        buffer.drop();
        commits.fail(meaning);
        pressure.end();
    }

    /** Fails the writer, if it has not failed or closed yet. */
    public void abort(CrailException cause) {
        if (!isClosed()) {
            fail(cause);
        }
    }

    /**
     * Gives the lease of a failed writer back. A file that this writer made and of which nothing
     * was committed is removed.
     */
    public CompletableFuture<Void> abandon(Operation operation) {
        if (isClosed()) {
            return CompletableFuture.completedFuture(null);
        }
        abandoned = true;
        return context.call(operation, new Abandon.Request(context.node(), context.handle(), true))
                .thenAccept(reply -> {});
    }

    /** As {@link #abandon}, without waiting for it. */
    public void abandonQuietly() {
        Operation operation = context.begin("abandon ");
        Outcomes.whenDone(abandon(operation), (done, cause) -> context.end(operation));
    }

    /** The writer as its commit queue sees it. */
    private final class CommitView implements CommitQueue.Writer {
        @Override
        public long completedLength() {
            return pieces.completedLength();
        }

        @Override
        public Iterable<OpenBlock> blocks() {
            return blocks;
        }

        @Override
        public void committed(NodeStatus status, boolean closed) {
            while (!blocks.isEmpty() && blocks.element().isDone()) {
                blocks.remove();
            }
            pieces.release(commits.committedLength());
            if (closed) {
                buffer.drop();
                pressure.end();
            }
        }

        @Override
        public void fail(CrailException cause) {
            FileWriter.this.fail(cause);
        }
    }
}
