// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Session;
import io.crail.client.spi.BufferPool;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves one extent to another block: grant, read and verify, write, swap. On the strand of its
 * operation. Whatever fails, the block granted in vain is given back; the extent is where it was.
 */
public final class BlockMove {
    private static final byte[] NO_TABLE = {};

    private final Session session;
    private final BlockIo io;
    private final ExtentReader reader;
    private final BufferPool pool;
    private final Operation operation;
    private final Movable.Owner owner;
    private final Extent extent;
    private final int incarnation;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    private List<BlockReference> grants = List.of();
    private BufferPool.@Nullable Lease lease;

    public BlockMove(
            Session session,
            BlockIo io,
            ExtentReader reader,
            BufferPool pool,
            Operation operation,
            Movable.Owner owner,
            Extent extent) {
        this.session = session;
        this.io = io;
        this.reader = reader;
        this.pool = pool;
        this.operation = operation;
        this.owner = owner;
        this.extent = extent;
        this.incarnation = session.incarnation();
    }

    /** True: moved. False: the extent was removed, replaced or moved by somebody else meanwhile. */
    public CompletableFuture<Boolean> start() {
        Outcomes.whenDone(
                session.call(operation, grantRequest(), null, incarnation),
                (reply, cause) -> {
                    CrailException failure = cause;
                    if (failure == null) {
                        try {
                            granted(Grant.Reply.decode(reply.control()).grants());
                            return;
                        } catch (CrailException e) {
                            failure = e;
                        }
                    }
                    end(failure);
                });
        return result;
    }

    private Grant.Request grantRequest() {
        return new Grant.Request(
                owner.node(),
                0,
                NO_TABLE,
                extent.block().length(),
                true,
                new int[] {extent.block().server()});
    }

    private void granted(List<BlockReference> blocks) throws BusyException {
        grants = blocks;
        if (blocks.isEmpty() || blocks.get(0).length() < extent.length()) {
            throw new BusyException(
                    owner.path()
                            + ": no single free block of "
                            + extent.block().length()
                            + " bytes on another server; delete something or add a server");
        }
        Outcomes.whenDone(
                BufferWait.acquire(operation, pool, extent.length()),
                (buffer, exhausted) -> {
                    if (exhausted != null) {
                        end(exhausted);
                    } else {
                        lease = buffer;
                        read(buffer.buffer().slice(0, extent.length()));
                    }
                });
    }

    private void read(ByteBuffer bytes) {
        Outcomes.whenDone(
                reader.read(operation, owner.path(), extent, 0, bytes, owner.checksums()),
                (done, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else {
                        write(bytes);
                    }
                });
    }

    private void write(ByteBuffer bytes) {
        BlockReference target = grants.get(0);
        WriteChecksums salted =
                owner.checksums()
                        ? WriteChecksums.toBeMade(target, 0, bytes)
                        : WriteChecksums.known(bytes, new int[0]);
        Outcomes.whenDone(
                io.write(operation, target, 0, bytes, salted, () -> {}),
                (done, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else {
                        swap(target);
                    }
                });
    }

    private void swap(BlockReference target) {
        Move.Request move =
                new Move.Request(
                        owner.node(),
                        extent.offset(),
                        extent.block().id(),
                        extent.block().generation(),
                        new CommittedExtent(target, extent.length(), extent.tailCrc()));
        Outcomes.whenDone(
                session.call(operation, move, null, incarnation), (reply, cause) -> end(cause));
    }

    private void end(@Nullable CrailException cause) {
        BufferPool.Lease held = lease;
        if (held != null) {
            held.close();
        }
        // A block that was committed is no longer granted: giving it back does nothing.
        int spare = cause == null ? 1 : 0;
        session.returnBlocks(
                grants.stream().skip(spare).map(BlockReference::id).toList(), incarnation);
        if (cause == null) {
            result.complete(true);
        } else if (cause.code() == ErrorCode.STALE_REFERENCE
                || cause.code() == ErrorCode.NO_SUCH_NODE) {
            result.complete(false);
        } else {
            result.completeExceptionally(cause);
        }
    }
}
