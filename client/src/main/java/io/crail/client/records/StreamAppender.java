// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.client.data.BlockIo;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Appends the records of many callers to one stream, in the order of the calls.
 *
 * <p><b>Batches.</b> While nothing is under way a record is sent at once. Meanwhile further ones
 * gather in the last batch of the queue, which goes when its turn comes; so under load batches grow
 * by themselves, and a lone record never waits. What fits travels with the call; larger batches are
 * written to blocks first, several at a time.
 *
 * <p><b>Order.</b> Batches are committed one by one, in order: the next call is made when the
 * answer to the one before has come, so an attempt that is repeated cannot be overtaken. A batch
 * that fails takes only its own records with it.
 *
 * <p><b>Threads.</b> All state belongs to the strand. Nobody waits while holding it: callers add
 * their record and leave. Acknowledgements are delivered where dependents of futures run.
 */
public final class StreamAppender {
    /** Larger records are written from the application's buffer. */
    public static final int LARGE = 256 << 10;

    /** What may be queued before callers have to wait. */
    private static final int MAX_QUEUED_BYTES = 16 << 20;

    private static final int MAX_QUEUED_RECORDS = 65_536;

    /** Batches being written or committed. */
    private static final int WINDOW = 8;

    /** From this size on a batch is written while others are under way. */
    private static final int WORTH_WRITING = 64 << 10;

    private static final int IDLE_STOCK = 2;
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Engine engine;
    private final Session session;
    private final Strand strand;
    private final StreamTarget target;
    private final long timeoutNanos;
    private final BatchWriter writer;
    private final BlockStock stock;
    private final ArrayDeque<Batch> queue = new ArrayDeque<>();
    private @Nullable CompletableFuture<Void> room;
    private @Nullable CrailException failure;
    private long queuedBytes;
    private int queuedRecords;
    private int inlineRoom = Integer.MAX_VALUE;
    private boolean pumping;
    private boolean pumpAgain;
    private boolean closed;
    private boolean idleTimer;
    private long idleSince;

    public StreamAppender(
            Engine engine, Session session, BlockIo io, StreamTarget target, long timeoutNanos) {
        this.engine = engine;
        this.session = session;
        this.strand = engine.newStrand();
        this.target = target;
        this.timeoutNanos = timeoutNanos;
        this.stock = new BlockStock(engine, session);
        this.writer = new BatchWriter(engine, session, io, target, stock, this::pump);
    }

    public Strand strand() {
        return strand;
    }

    /** What a record larger than {@link #LARGE} is appended by, so that it can be called off. */
    public Operation newOperation() {
        return engine.newOperation(strand, "append to " + target.path(), timeoutNanos);
    }

    /** Completes when there is room for further records; null if there is now. */
    public @Nullable CompletableFuture<Void> waitForRoom() {
        strand.enter();
        try {
            if (hasRoom() || closed) {
                return null;
            }
            CompletableFuture<Void> waiting = room;
            if (waiting == null) {
                waiting = new CompletableFuture<>();
                room = waiting;
            }
            return waiting;
        } finally {
            strand.exit();
        }
    }

    private boolean hasRoom() {
        return queuedBytes < MAX_QUEUED_BYTES && queuedRecords < MAX_QUEUED_RECORDS;
    }

    /** Appends a record, which is copied. */
    public void append(ByteBuffer record, Acknowledgement ack) {
        strand.enter();
        try {
            if (refused(ack)) {
                return;
            }
            Batch last = queue.peekLast();
            if (last == null
                    || last.state != Batch.State.QUEUED
                    || !last.takes(record.remaining())) {
                last = new Batch(newOperation(), RecordFrame.HEADER + record.remaining());
                enqueue(last);
            }
            last.add(record, ack);
            count(RecordFrame.HEADER + record.remaining(), 1);
            pump();
        } finally {
            strand.exit();
        }
    }

    /** Appends a large record, which must not change until it is acknowledged. */
    public void appendLarge(Operation operation, ByteBuffer record, Acknowledgement ack) {
        strand.enter();
        try {
            if (refused(ack)) {
                return;
            }
            Batch batch = new Batch(operation, RecordFrame.HEADER);
            batch.addLarge(record, ack);
            enqueue(batch);
            count(batch.bytes(), 1);
            pump();
        } finally {
            strand.exit();
        }
    }

    private boolean refused(Acknowledgement ack) {
        if (closed) {
            engine.deliver(() -> ack.done(-1, new ClosedException(target.path() + " is closed")));
        }
        return closed;
    }

    private void enqueue(Batch batch) {
        engine.retain();
        engine.watch(batch.operation);
        batch.operation.add(cause -> strand.execute(this::pump));
        queue.add(batch);
    }

    private void count(int bytes, int records) {
        queuedBytes += bytes;
        queuedRecords += records;
    }

    /** Completes when all records appended so far are acknowledged; fails if one of them failed. */
    public CompletableFuture<Void> flush() {
        strand.enter();
        try {
            CompletableFuture<Void> done = new CompletableFuture<>();
            if (queue.isEmpty()) {
                flushed(done);
                return done;
            }
            Batch last = queue.getLast();
            last.onDone(() -> flushed(done));
            return done;
        } finally {
            strand.exit();
        }
    }

    private void flushed(CompletableFuture<Void> done) {
        CrailException cause = failure;
        failure = null;
        if (cause == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(cause);
        }
    }

    private void pump() {
        pumpAgain = true;
        if (pumping) {
            return; // A step that ended at once; the loop below sees what it did.
        }
        pumping = true;
        try {
            while (pumpAgain) {
                pumpAgain = false;
                dropCancelled();
                commitFirst();
                writeAhead();
            }
        } finally {
            pumping = false;
        }
    }

    /** Those that are being written or committed hear of it themselves. */
    private void dropCancelled() {
        Iterator<Batch> all = queue.iterator();
        while (all.hasNext()) {
            Batch batch = all.next();
            CrailException cause = batch.operation.cancelled();
            if (batch.state == Batch.State.WRITTEN && cause != null) {
                writer.forget(batch);
            }
            if (batch.state == Batch.State.WRITING && batch.underWay == 0) {
                CrailException failed = batch.failure;
                cause = failed;
            } else if (batch.state == Batch.State.WRITING
                    || batch.state == Batch.State.COMMITTING) {
                cause = null;
            }
            if (cause != null) {
                all.remove();
                finish(batch, -1, cause);
            }
        }
    }

    private void commitFirst() {
        Batch first = queue.peek();
        while (first != null) {
            if (first.state == Batch.State.QUEUED && fitsInline(first)) {
                commit(first);
            } else if (first.state == Batch.State.WRITTEN) {
                commit(first);
            }
            Batch next = queue.peek();
            if (next == first) {
                return;
            }
            first = next;
        }
    }

    private boolean fitsInline(Batch batch) {
        return !batch.needsBlocks && batch.bytes() <= Math.min(session.inlineLimit(), inlineRoom);
    }

    /** A batch that more records may join is written early only if it is worth it, or first. */
    private void writeAhead() {
        int underWay = 0;
        Batch first = queue.peek();
        Batch last = queue.peekLast();
        for (Batch batch : List.copyOf(queue)) {
            if (++underWay > WINDOW) {
                return;
            }
            boolean turn = batch == first || batch != last || batch.bytes() >= WORTH_WRITING;
            if (batch.state == Batch.State.QUEUED && turn && !fitsInline(batch)) {
                writer.start(batch);
            }
        }
    }

    private void commit(Batch batch) {
        boolean inline = batch.state == Batch.State.QUEUED;
        batch.state = Batch.State.COMMITTING;
        int size = inline ? 0 : BlockStock.blockBytes(batch.bytes());
        int wanted = inline ? 0 : (queue.size() > 1 ? WINDOW : IDLE_STOCK) - stock.count(size);
        StreamAppend.Request request =
                new StreamAppend.Request(
                        target.node(),
                        batch.records(),
                        List.copyOf(batch.extents),
                        List.of(),
                        Math.max(0, wanted),
                        size,
                        stock.excluded());
        Outcomes.whenDone(
                inline
                        ? session.call(batch.operation, request, batch.inline(), 0)
                        : session.call(batch.operation, request, null, batch.incarnation),
                (reply, cause) -> {
                    if (cause == null) {
                        committed(batch, reply);
                    } else {
                        refused(batch, inline, cause);
                    }
                });
    }

    private void committed(Batch batch, Reply reply) {
        try {
            StreamAppend.Reply answer = StreamAppend.Reply.decode(reply.control());
            stock.add(answer.grants(), reply.incarnation());
            inlineRoom = answer.inlineRoom();
            queue.remove(batch);
            finish(batch, answer.offset(), null);
        } catch (CrailException e) {
            queue.remove(batch);
            finish(batch, -1, e);
        }
        pump();
    }

    private void refused(Batch batch, boolean inline, CrailException cause) {
        if (inline && cause.code() == ErrorCode.OUT_OF_SPACE) {
            batch.needsBlocks = true;
            batch.state = Batch.State.QUEUED;
            inlineRoom = 0;
        } else if (!inline && cause.code() == ErrorCode.SERVER_LOST && writer.mayRewrite(batch)) {
            writer.rewrite(batch);
        } else {
            // What was committed all the same is not granted any more: giving it back is harmless.
            writer.forget(batch);
            queue.remove(batch);
            finish(batch, -1, cause);
        }
        pump();
    }

    private void finish(Batch batch, long offset, @Nullable CrailException cause) {
        batch.state = Batch.State.DONE;
        engine.unwatch(batch.operation);
        engine.release();
        count(-batch.bytes(), -batch.records());
        if (cause != null && failure == null) {
            failure = cause;
        }
        batch.flushed();
        engine.deliver(() -> batch.acknowledge(offset, cause));
        if (queue.isEmpty()) {
            stock.shrink(closed ? 0 : IDLE_STOCK);
            returnStockLater();
        }
        CompletableFuture<Void> waiting = room;
        if (waiting != null && hasRoom()) {
            room = null;
            engine.deliver(() -> waiting.complete(null));
        }
    }

    /** Blocks granted ahead are for who goes on at once; soon others need them more. */
    private void returnStockLater() {
        idleSince = engine.nanoTime();
        if (!idleTimer && !stock.isEmpty()) {
            idleTimer = true;
            engine.retain();
            engine.schedule(IDLE_NANOS, () -> strand.execute(this::returnStock));
        }
    }

    private void returnStock() {
        idleTimer = false;
        engine.release();
        if (!queue.isEmpty()) {
            return; // Comes again when the queue is empty.
        }
        if (engine.nanoTime() - idleSince >= IDLE_NANOS) {
            stock.shrink(0);
        } else {
            long since = idleSince;
            returnStockLater();
            idleSince = since;
        }
    }

    /** No further records; those appended so far go on. Gives granted blocks back. */
    public void close() {
        strand.enter();
        try {
            closed = true;
            if (queue.isEmpty()) {
                stock.shrink(0);
            }
        } finally {
            strand.exit();
        }
    }
}
