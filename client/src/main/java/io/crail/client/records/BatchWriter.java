// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.client.data.BlockIo;
import io.crail.client.data.BufferWait;
import io.crail.client.data.RunningChecksum;
import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Session;
import io.crail.client.spi.BufferPool;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.StreamAppend;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches to granted blocks; committing them is the appender's. If a server is lost, the
 * frames are still there and are written anew elsewhere. What was granted in vain is given back. On
 * the appender's strand.
 */
final class BatchWriter {
    private static final int MAX_TRIES = 4;
    private static final int MAX_PARALLEL = 16;
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Blocks of one run: what fits into a call. */
    private static final int MAX_BLOCKS = 8000;

    private final Engine engine;
    private final Session session;
    private final BlockIo io;
    private final StreamTarget target;
    private final BlockStock stock;
    private final Runnable changed;

    /**
     * @param changed called when a batch has been written, or has failed
     */
    BatchWriter(
            Engine engine,
            Session session,
            BlockIo io,
            StreamTarget target,
            BlockStock stock,
            Runnable changed) {
        this.engine = engine;
        this.session = session;
        this.io = io;
        this.target = target;
        this.stock = stock;
        this.changed = changed;
    }

    void start(Batch batch) {
        batch.state = Batch.State.WRITING;
        batch.incarnation = stock.incarnation();
        provide(batch);
    }

    private void provide(Batch batch) {
        int size = BlockStock.blockBytes(batch.bytes());
        while (batch.covered < batch.bytes()) {
            BlockReference block = stock.take(size);
            if (block == null) {
                ask(batch, size);
                return;
            }
            cover(batch, block);
        }
        pump(batch);
    }

    private static void cover(Batch batch, BlockReference block) {
        batch.blocks.add(block);
        batch.covered += block.length();
    }

    private void ask(Batch batch, int size) {
        long missing = batch.bytes() - batch.covered;
        int blocks = (int) Math.min(ProtocolLimits.MAX_REFERENCES, (missing + size - 1) / size);
        StreamAppend.Request request =
                new StreamAppend.Request(
                        target.node(), 0, List.of(), List.of(), blocks, size, stock.excluded());
        Outcomes.whenDone(
                session.call(batch.operation, request, null, batch.incarnation),
                (reply, cause) -> {
                    CrailException failed = cause;
                    if (failed != null
                            && failed.code() == ErrorCode.OUT_OF_SPACE
                            && stock.forgive()) {
                        ask(batch, size); // Better to wait for a server that was away.
                        return;
                    }
                    if (failed == null) {
                        try {
                            accept(batch, StreamAppend.Reply.decode(reply.control()).grants());
                            return;
                        } catch (CrailException e) {
                            failed = e;
                        }
                    }
                    batch.failure = failed;
                    pump(batch);
                });
    }

    private void accept(Batch batch, List<BlockReference> grants) throws OutOfSpaceException {
        if (grants.isEmpty()) {
            throw new OutOfSpaceException(target.path() + ": the namenode granted no block");
        }
        if (batch.blocks.size() > MAX_BLOCKS) {
            throw new OutOfSpaceException(
                    target.path() + ": free space is in pieces that are too small for the record");
        }
        // What is granted may be smaller than asked for, when the cluster is nearly full.
        for (BlockReference block : grants) {
            cover(batch, block);
        }
        provide(batch);
    }

    private void pump(Batch batch) {
        while (batch.failure == null
                && batch.underWay < MAX_PARALLEL
                && batch.nextBlock < batch.blocks.size()
                && offset(batch, batch.nextBlock) < batch.bytes()) {
            write(batch, batch.nextBlock++);
        }
        if (batch.underWay > 0) {
            return;
        }
        CrailException failure = batch.failure;
        if (failure != null) {
            retryOrGiveUp(batch, failure);
        } else {
            returnSpare(batch);
            batch.state = Batch.State.WRITTEN;
            changed.run();
        }
    }

    private static int offset(Batch batch, int index) {
        long offset = 0;
        for (int i = 0; i < index; i++) {
            offset += batch.blocks.get(i).length();
        }
        return (int) Math.min(Integer.MAX_VALUE, offset);
    }

    private void write(Batch batch, int index) {
        BlockReference block = batch.blocks.get(index);
        int offset = offset(batch, index);
        int length = Math.min(block.length(), batch.bytes() - offset);
        assert length <= BlockGeometry.MAX_BLOCK;
        batch.extents.add(new CommittedExtent(block, length, 0));
        batch.underWay++;
        Outcomes.whenDone(
                BufferWait.acquire(batch.operation, engine.buffers(), length),
                (lease, cause) -> {
                    if (cause != null) {
                        ended(batch, cause);
                        return;
                    }
                    ByteBuffer bytes = lease.buffer().slice(0, length);
                    batch.copy(offset, bytes.duplicate());
                    write(batch, index, bytes, lease);
                });
    }

    private void write(Batch batch, int index, ByteBuffer bytes, BufferPool.Lease lease) {
        BlockReference block = batch.blocks.get(index);
        RunningChecksum sums = new RunningChecksum();
        int[] salted = sums.update(block, 0, bytes);
        batch.extents.set(index, new CommittedExtent(block, bytes.remaining(), sums.tail()));
        Operation step = step(batch);
        Cancellable part = step::cancel;
        batch.operation.add(part);
        engine.watch(step);
        Outcomes.whenDone(
                io.write(step, block, 0, bytes, salted, () -> away(batch, step, block.server())),
                (done, cause) -> {
                    engine.unwatch(step);
                    batch.operation.remove(part);
                    lease.close();
                    if (cause != null && cause.code() == ErrorCode.SERVER_LOST) {
                        stock.exclude(block.server());
                    }
                    ended(batch, cause);
                });
    }

    /** A little longer than the batch, whose deadline it is that shall be reported. */
    private Operation step(Batch batch) {
        Operation whole = batch.operation;
        return engine.newOperation(
                whole.strand(), whole.what(), whole.remainingNanos() + SLACK_NANOS);
    }

    /** A server is away, though expected back: others need not wait for it. */
    private void away(Batch batch, Operation step, int server) {
        if (mayRewrite(batch)) {
            step.cancel(
                    new ServerLostException(
                            batch.operation.what()
                                    + ": storage server "
                                    + server
                                    + " does not answer; the records are written elsewhere"));
        }
    }

    private void ended(Batch batch, @Nullable CrailException cause) {
        batch.underWay--;
        if (cause != null && batch.failure == null) {
            batch.failure = cause;
        }
        pump(batch);
    }

    private void retryOrGiveUp(Batch batch, CrailException cause) {
        boolean again =
                (cause.code() == ErrorCode.SERVER_LOST || cause.code() == ErrorCode.STALE_REFERENCE)
                        && batch.tries < MAX_TRIES
                        && batch.operation.cancelled() == null;
        if (again) {
            rewrite(batch);
        } else {
            forget(batch);
            changed.run();
        }
    }

    /** Writes a batch to other blocks, because what was written is lost. */
    void rewrite(Batch batch) {
        forget(batch);
        batch.failure = null;
        batch.tries++;
        start(batch);
    }

    boolean mayRewrite(Batch batch) {
        return batch.tries < MAX_TRIES && batch.operation.cancelled() == null;
    }

    private void returnSpare(Batch batch) {
        int used = batch.extents.size();
        List<BlockReference> spare = batch.blocks.subList(used, batch.blocks.size());
        stock.add(List.copyOf(spare), batch.incarnation);
        spare.clear();
    }

    /** Gives the blocks of a batch back; those that were committed are not concerned. */
    void forget(Batch batch) {
        List<BlockId> ids = batch.blocks.stream().map(BlockReference::id).toList();
        session.returnBlocks(ids, batch.incarnation);
        batch.blocks.clear();
        batch.extents.clear();
        batch.covered = 0;
        batch.nextBlock = 0;
    }
}
