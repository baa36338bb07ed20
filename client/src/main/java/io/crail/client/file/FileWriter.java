// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.ExtentReader;
import io.crail.client.data.RunningChecksum;
import io.crail.client.engine.DirectBufferPool;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Session;
import io.crail.client.spi.BufferPool;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private static final int FIRST_BUFFER = 64 << 10;
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;
    private static final int MAX_REWINDS = 8;

    /** The namenode bounds the grants of a lease: very long files are committed on the way. */
    private static final int MAX_UNCOMMITTED_BLOCKS = 1024;

    private static final int[] NO_CHECKSUMS = {};

    private record Fragment(ByteBuffer data, DataOwner owner) {}

    private final WriterContext context;
    private final BlockIo io;
    private final boolean checksums;
    private final int depth;
    private final GrantSupply grants;
    private final CommitQueue commits;
    private final RunningChecksum running = new RunningChecksum();

    private final Runnable pressure = this::underPressure;
    private final AtomicBoolean relieving = new AtomicBoolean();

    private final ArrayDeque<Fragment> fragments = new ArrayDeque<>();
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private final ArrayDeque<OpenBlock> blocks = new ArrayDeque<>();

    private BufferPool.@Nullable Lease buffer;
    private @Nullable OpenBlock current;
    private @Nullable CrailException failure;
    private long position;
    private long assignedLength;
    private long completedLength;
    private long flushTarget;
    private int underWay;
    private int rewinds;
    private boolean closing;
    private boolean abandoned;
    private boolean pressed;
    private boolean starved;

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
        this.completedLength = position;
        this.flushTarget = position;
        context.afterGrant(this::granted);
        engine.buffers().addPressureListener(pressure);
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
                .thenAccept(
                        done -> {
                            running.resume(chunk);
                            current = open;
                            blocks.add(open);
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
        int taken = 0;
        while (source.hasRemaining() && hasRoom()) {
            BufferPool.Lease lease = buffer;
            if (lease == null) {
                break;
            }
            ByteBuffer into = lease.buffer();
            int piece = Math.min(source.remaining(), into.remaining());
            into.put(source.slice(source.position(), piece));
            source.position(source.position() + piece);
            position += piece;
            taken += piece;
            if (!into.hasRemaining()) {
                sealBuffer();
            }
        }
        return taken;
    }

    /** Whether {@link #offer} would take bytes now; obtains a buffer if need be. */
    public boolean hasRoom() {
        if (failure != null) {
            return false;
        }
        if (buffer != null) {
            return true;
        }
        if (fragments.size() + underWay >= 2 * depth) {
            return false;
        }
        BufferPool pool = context.engine().buffers();
        int size = bufferSize();
        BufferPool.@Nullable Lease lease = pool.tryAcquire(size);
        if (lease == null) {
            lease = pool.tryAcquire(BufferPool.MIN_BUFFER);
        }
        if (lease == null) {
            awaitBuffer(pool);
            return false;
        }
        lease.buffer().clear().limit(Math.min(size, lease.buffer().capacity()));
        buffer = lease;
        return true;
    }

    /** The callback gives the strand a task, which wakes whoever waits for room. */
    private void awaitBuffer(BufferPool pool) {
        if (!starved) {
            starved = true;
            pool.whenAvailable(
                    BufferPool.MIN_BUFFER,
                    () ->
                            context.strand()
                                    .execute(
                                            () -> {
                                                starved = false;
                                                pump();
                                            }));
        }
    }

    /** Doubles from 64 KiB, ends at block boundaries, and shrinks when memory is short. */
    private int bufferSize() {
        OpenBlock block = current;
        long inBlock =
                block == null
                        ? position - assignedLength
                        : block.assigned() + (position - assignedLength);
        int phase = (int) (inBlock % BlockGeometry.MAX_BLOCK);
        DirectBufferPool.Usage usage = context.engine().bufferUsage();
        int largest = BlockGeometry.MAX_BLOCK;
        if (usage.bytesInUse() > usage.limit() / 4 * 3) {
            largest = BufferPool.MIN_BUFFER;
        } else if (usage.bytesInUse() > usage.limit() / 2) {
            largest = FIRST_BUFFER;
        }
        long grown =
                inBlock >= BlockGeometry.MAX_BLOCK || position >= BlockGeometry.MAX_BLOCK
                        ? BlockGeometry.MAX_BLOCK
                        : Math.max(FIRST_BUFFER, Long.highestOneBit(Math.max(1, inBlock)));
        int toBoundary = BlockGeometry.MAX_BLOCK - phase;
        return (int) Math.min(Math.min(largest, grown), toBoundary);
    }

    /**
     * Somebody needs memory: writes what only waits, and gives up what is only held for the case
     * that a server is lost.
     */
    private void relievePressure() {
        relieving.set(false);
        if (failure != null || isClosed()) {
            return;
        }
        pressed = true;
        pieces.forEach(piece -> piece.owner().giveUpIfWritten());
        flush();
    }

    /** From any thread; tasks do not pile up. */
    private void underPressure() {
        if (relieving.compareAndSet(false, true)) {
            context.strand().execute(this::relievePressure);
        }
    }

    /** The writer needs no memory any more. */
    private void ended() {
        context.engine().buffers().removePressureListener(pressure);
    }

    private void sealBuffer() {
        BufferPool.Lease lease = buffer;
        if (lease == null) {
            return;
        }
        buffer = null;
        ByteBuffer data = lease.buffer().flip();
        if (!data.hasRemaining()) {
            lease.close();
            return;
        }
        fragments.add(new Fragment(data, DataOwner.pooled(lease, data.remaining())));
        if (isShort()) {
            flushTarget = Math.max(flushTarget, position);
        }
        pump();
    }

    private boolean isShort() {
        DirectBufferPool.Usage usage = context.engine().bufferUsage();
        return usage.bytesInUse() > usage.limit() / 2;
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
        sealBuffer();
        ByteBuffer data = source.slice(source.position(), length);
        position += length;
        fragments.add(new Fragment(data, DataOwner.application(written, length)));
        flushTarget = Math.max(flushTarget, position);
        pump();
        return written;
    }

    /** Begins to write everything collected. */
    public void flush() {
        sealBuffer();
        flushTarget = position;
        pump();
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
        BufferPool.Lease lease = buffer;
        return position - assignedLength - (lease == null ? 0 : lease.buffer().position());
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
            if (block.assigned() % CHUNK != 0 && isLastUnderWay(block)) {
                break;
            }
            cut(block);
        }
        if (failure == null) {
            if (blocks.size() > MAX_UNCOMMITTED_BLOCKS) {
                commits.early(completedLength);
            }
            commits.pump();
        }
    }

    private boolean isLastUnderWay(OpenBlock block) {
        Piece last = pieces.peekLast();
        return last != null && last.block() == block && !last.isDone();
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
                        advance();
                        pump();
                    }
                });
    }

    /** Moves the end of the completed prefix, and lets go of what need not be written again. */
    private void advance() {
        for (Piece piece : pieces) {
            if (!piece.isDone()) {
                break;
            }
            if (piece.end() > completedLength) {
                completedLength = piece.end();
                piece.block().complete(piece.endInBlock(), piece.tail());
            }
        }
        release();
    }

    private void release() {
        while (!pieces.isEmpty()) {
            Piece piece = pieces.element();
            boolean committed = piece.end() <= commits.committedLength();
            boolean complete = piece.end() <= completedLength && piece.block().isFullyCompleted();
            if (!committed && !complete) {
                return;
            }
            pieces.remove();
            piece.owner().released(piece.length());
        }
    }

    private void writeFailed(Piece piece, CrailException cause) {
        if (cause.code() == ErrorCode.SERVER_LOST && rewinds < MAX_REWINDS && isHeld(piece)) {
            rewinds++;
            rewind(piece.block(), cause);
            pump();
        } else {
            fail(context.meaning(cause));
        }
    }

    /** Whether everything from the piece's block on can be written again. */
    private boolean isHeld(Piece failed) {
        boolean found = false;
        long next = failed.block().base() + failed.block().committed();
        for (Piece piece : pieces) {
            found |= piece.block() == failed.block();
            if (found) {
                if (!piece.owner().holds() || piece.start() != next) {
                    return false;
                }
                next = piece.end();
            }
        }
        return found;
    }

    /** Takes back all pieces from the block on, and the blocks, and queues the bytes again. */
    private void rewind(OpenBlock lost, CrailException cause) {
        List<Piece> again = new ArrayList<>();
        while (true) {
            Piece last = pieces.peekLast();
            if (last == null || last.start() < lost.base() + lost.committed()) {
                break;
            }
            pieces.removeLast();
            again.add(last);
        }
        for (Piece piece : again) {
            piece.drop();
            Operation operation = piece.operation();
            if (operation != null) {
                operation.cancel(cause);
            }
            if (piece.isDone()) {
                piece.owner().unwritten(piece.length());
            }
            fragments.addFirst(new Fragment(piece.data().duplicate(), piece.owner()));
        }
        assignedLength = lost.base() + lost.committed();
        completedLength = Math.min(completedLength, assignedLength);
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
        for (Piece piece : pieces) {
            Operation operation = piece.operation();
            if (operation != null) {
                operation.cancel(meaning);
            }
        }
        // Cancelled operations touch no buffer any more: now the memory may go.
        pieces.forEach(piece -> piece.owner().fail(meaning));
        fragments.forEach(fragment -> fragment.owner().fail(meaning));
        pieces.clear();
        fragments.clear();
        BufferPool.Lease lease = buffer;
        if (lease != null) {
            buffer = null;
            lease.close();
        }
        commits.fail(meaning);
        ended();
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
            return completedLength;
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
            release();
            if (closed) {
                ended();
            }
        }

        @Override
        public void fail(CrailException cause) {
            FileWriter.this.fail(cause);
        }
    }
}
