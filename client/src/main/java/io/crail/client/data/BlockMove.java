// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Session;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves one extent to a block on another server: grant, copy, swap. On the strand of its operation.
 * Whatever fails, the block granted in vain is given back; the extent is where it was.
 */
public final class BlockMove {
    private static final byte[] NO_TABLE = {};

    private final Session session;
    private final BlockCopy.Way way;
    private final Operation operation;
    private final Movable.Owner owner;
    private final Extent extent;
    private final int[] excludedServers;
    private final int incarnation;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    private List<BlockReference> grants = List.of();

    /**
     * A move that has not begun.
     *
     * @param excludedServer the server to move it away from
     */
    public BlockMove(
            Session session,
            BlockCopy.Way way,
            Operation operation,
            Movable.Owner owner,
            Extent extent,
            int excludedServer) {
        this.session = session;
        this.way = way;
        this.operation = operation;
        this.owner = owner;
        this.extent = extent;
        this.excludedServers = new int[] {excludedServer};
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
                owner.node(), 0, NO_TABLE, extent.block().length(), true, excludedServers);
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
                new BlockCopy(way, operation, owner, extent, blocks.get(0)).start(),
                (copy, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else {
                        swap(copy);
                    }
                });
    }

    private void swap(CommittedExtent copy) {
        Outcomes.whenDone(
                session.call(operation, swapOf(owner, extent, copy), null, incarnation),
                (reply, cause) -> end(cause));
    }

    /** What is asked for when a copy is to take the place of an extent. */
    public static Move.Request swapOf(Movable.Owner owner, Extent extent, CommittedExtent copy) {
        return new Move.Request(
                owner.node(),
                extent.offset(),
                extent.block().id(),
                extent.block().generation(),
                copy);
    }

    private void end(@Nullable CrailException cause) {
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
