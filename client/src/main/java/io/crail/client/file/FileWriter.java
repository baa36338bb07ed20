// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.ExtentReader;
import io.crail.client.data.WriteChecksums;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
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
 * <p><b>Losing a server.</b> Bytes in the pool are kept until their block is complete or committed,
 * and the last mebibyte until it is committed. If the server of a block is lost, or does not answer
 * for a quarter of the deadline, or is gone when the block is to be committed, everything from the
 * first byte that is not committed in that block is cut anew into blocks on other servers, if it is
 * still held ({@link Relocation}); else the stream fails. Nothing behind a failed byte is ever
 * committed, because the completed prefix ends there.
 *
 * <p><b>Idle.</b> Blocks that were granted and not begun go back when the application has written
 * nothing for a while ({@link IdleGrants}). When it writes on, others are asked for.
 */
public final class FileWriter {
    /** The namenode bounds the grants of a lease: very long files are committed on the way. */
    private static final int MAX_UNCOMMITTED_BLOCKS = 1024;

    private final WriterContext context;
    private final BlockIo io;
    private final BlockCutter cutter;
    private final int depth;
    private final GrantSupply grants;
    private final CommitQueue commits;
    private final PressureRelief pressure;
    private final IdleGrants idle;

    private final ArrayDeque<Fragment> fragments = new ArrayDeque<>();
    private final PieceQueue pieces;
    private final WriteBuffer buffer;
    private final Relocation relocation;

    private @Nullable CrailException failure;
    private long position;
    private long assignedLength;
    private long flushTarget;
    private int underWay;
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
            WriteLease lease,
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
        this.cutter = new BlockCutter(lease.status().has(NodeStatus.CHECKSUMS));
        this.depth = depth;
        this.grants = new GrantSupply(context);
        this.grants.add(grants);
        this.commits = new CommitQueue(context, new CommitView(), lease.status());
        this.position = lease.status().length();
        this.assignedLength = position;
        this.pieces = new PieceQueue(position);
        this.buffer = new WriteBuffer(context, this::pump);
        this.flushTarget = position;
        this.relocation =
                new Relocation(context, new MovedView(), io, pieces, cutter, this.grants, commits);
        context.afterGrant(this::granted);
        this.pressure = PressureRelief.begin(context, this::relievePressure);
        this.idle = new IdleGrants(context, this.grants, new IdleView());
        idle.watch();
    }

    /** Goes on in the last block of the file, if that is possible. */
    public CompletableFuture<Void> resume(Operation operation, Extent last, ExtentReader reader) {
        return cutter.resume(operation, context.path(), last, reader, position);
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

    /**
     * How many of the next bytes, if they are in a direct buffer, are better written from where
     * they are ({@link #append}) than collected, because the blocks are memory of this host and
     * collecting would be a second copy: those up to the end of a block, since what is begun is
     * filled by what follows. The first bytes behind what is committed are collected all the same:
     * a small file survives the loss of its server in the pool, and so does one that is committed
     * little by little. Of more at a time only the end would, and a file of which so much was
     * committed last is taken to go on like that.
     */
    public int worthInPlace(int bytes) {
        boolean isSmall =
                position - commits.committedLength() < PieceQueue.KEPT
                        && commits.lastStep() <= PieceQueue.KEPT;
        BlockReference block = cutter.reference();
        BlockReference known = block != null ? block : grants.next();
        if (isSmall || closing || known == null || !io.copiesMemory(known.server())) {
            return 0;
        }
        long waiting = position - assignedLength;
        if (bytes < BlockGeometry.MAX_BLOCK) {
            return waiting > 0 ? 0 : Math.min(bytes, cutter.room());
        }
        int toEnd = (int) Math.floorMod(cutter.room() - waiting, (long) BlockGeometry.MAX_BLOCK);
        return bytes - (bytes - toEnd) % BlockGeometry.MAX_BLOCK;
    }

    /** Whether {@link #offer} would take bytes now; obtains a buffer if need be. */
    public boolean hasRoom() {
        if (failure != null || isCrowded()) {
            return false;
        }
        return buffer.hasRoom(cutter.filled() + position - assignedLength, position);
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
     * @param awaited the caller waits on the strand until it is done, or aborts the writer
     * @return done when the bytes are at the servers and the buffer is the application's again
     */
    public CompletableFuture<Void> append(ByteBuffer source, boolean awaited) {
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
        fragments.add(new Fragment(data, DataOwner.application(written, length, awaited)));
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
            idle.watch();
        }
    }

    private boolean mustAssign() {
        long unassigned = unassigned();
        return unassigned > 0
                && (cutter.hasRoom()
                        || unassigned >= BlockGeometry.MAX_BLOCK
                        || flushTarget > assignedLength
                        || isCrowded());
    }

    /** Many small fragments: no more are taken, so those there are must not wait for more. */
    private boolean isCrowded() {
        return fragments.size() + underWay >= 2 * depth;
    }

    private long unassigned() {
        return position - assignedLength - buffer.collected();
    }

    private void pump() {
        while (failure == null && underWay < depth && mustAssign()) {
            if (!cutter.hasRoom()) {
                BlockReference grant =
                        grants.take(
                                unassigned(),
                                closing,
                                flushTarget > assignedLength,
                                assignedLength);
                if (grant == null) {
                    break;
                }
                cutter.begin(grant, assignedLength);
            }
            if (cutter.mustWait(pieces)) {
                break;
            }
            writeNext();
        }
        if (failure == null) {
            if (cutter.uncommittedBlocks() > MAX_UNCOMMITTED_BLOCKS) {
                commits.early(pieces.completedLength());
            }
            commits.pump();
        }
    }

    private void writeNext() {
        Fragment fragment = fragments.element();
        BlockCutter.Cut cut = cutter.cut(fragment);
        if (!fragment.data().hasRemaining()) {
            fragments.remove();
        }
        assignedLength += cut.piece().length();
        pieces.add(cut.piece());
        write(cut.piece(), cut.checksums());
    }

    private void write(Piece piece, WriteChecksums sums) {
        underWay++;
        // Waking the engine's own thread for it would cost up to a third of the copy.
        boolean awaited = piece.owner().isAwaited();
        Operation operation = context.begin("write ", awaited);
        piece.underWay(operation);
        operation.remindEvery(context.patienceNanos(), () -> relocation.late(piece));
        Outcomes.whenDone(
                io.write(
                        operation,
                        piece.block().reference(),
                        piece.block().use(),
                        piece.offset(),
                        piece.data().duplicate(),
                        sums,
                        () -> relocation.late(piece)),
                (done, cause) -> {
                    context.end(operation, awaited);
                    underWay--;
                    if (cause != null) {
                        relocation.failed(piece, cause);
                    } else if (!piece.isDropped() && failure == null) {
                        piece.done();
                        piece.owner().written(piece.length());
                        if (pressed) {
                            piece.owner().giveUpIfWritten();
                        }
                        pieces.advance(commits.committedLength());
                    }
                    pump();
                });
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
        return context.abandon(operation);
    }

    /** As {@link #abandon}, without waiting for it. */
    public void abandonQuietly() {
        if (!isClosed()) {
            abandoned = true;
            context.abandonQuietly();
        }
    }

    /** The writer as its commit queue sees it. */
    private final class CommitView implements CommitQueue.Writer {
        @Override
        public long completedLength() {
            return pieces.completedLength();
        }

        @Override
        public Iterable<OpenBlock> blocks() {
            return cutter.blocks();
        }

        @Override
        public void committed(NodeStatus status, boolean closed) {
            cutter.forgetCommitted();
            pieces.release(commits.committedLength());
            relocation.commitEnded();
            pump();
            if (closed) {
                buffer.drop();
                pressure.end();
            }
        }

        @Override
        public void refused(CrailException cause) {
            relocation.commitRefused(cause);
        }

        @Override
        public void fail(CrailException cause) {
            FileWriter.this.fail(cause);
        }
    }

    /** The writer as it is watched while the application does nothing. */
    private final class IdleView implements IdleGrants.Writer {
        @Override
        public boolean isOver() {
            return failure != null || closing || isClosed();
        }

        @Override
        public boolean isWriting() {
            return underWay > 0;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void giveBack(List<BlockId> unused) {
            commits.giveBackNow(unused);
        }
    }

    /** The writer as it is told of bytes to be written elsewhere. */
    private final class MovedView implements Relocation.Writer {
        @Override
        public void takeBack(List<Piece> taken, long from) {
            assignedLength = from;
            for (Piece piece : taken) {
                fragments.addFirst(new Fragment(piece.data().duplicate(), piece.owner()));
            }
            flushTarget = Math.max(flushTarget, from + 1);
            pump();
        }

        @Override
        public void fail(CrailException cause) {
            FileWriter.this.fail(cause);
        }

        @Override
        public boolean hasFailed() {
            return failure != null;
        }
    }
}
