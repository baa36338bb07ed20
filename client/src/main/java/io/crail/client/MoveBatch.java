// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.CrailTiering.Moves;
import io.crail.client.data.BlockCopy;
import io.crail.client.data.BlockMove;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.MoveCopies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Moves extents to other storage classes together: one grant for all of them, copies that are on
 * their way side by side, begun in order, and swaps of whatever has been copied while the swap
 * before was on its way. So there are few calls where blocks are small or many, and no copy waits
 * for the end of the batch.
 *
 * <p>Whatever ends it, nothing is on its way any more when {@link #run} returns, and blocks that
 * were granted in vain are given back. For one thread, once.
 */
final class MoveBatch {
    /** A small block takes its time, too: so many are on their way in place of one of 1 MiB. */
    private static final int LEAST_WEIGHT = 64 << 10;

    private static final Set<ErrorCode> GONE =
            Set.of(ErrorCode.STALE_REFERENCE, ErrorCode.NO_SUCH_NODE);

    private record Copying(int index, CrailFuture<CommittedExtent> copy) {}

    private record Copied(int index, CommittedExtent copy) {}

    private record Swapping(List<Copied> copies, CrailFuture<MoveCopies.Reply> reply) {}

    private final ClientCore core;
    private final Caller caller;
    private final List<Movable.Owner> owners;
    private final List<Extent> extents;
    private final int firstClass;
    private final int lastClass;
    private final Moves moves;
    private final int incarnation;
    private final MoveCalls calls;
    private final @Nullable BlockReference[] targets;
    private final int[] refusals;
    private final boolean[] moved;
    private final ArrayDeque<Copying> underWay = new ArrayDeque<>();
    private final List<Copied> copied = new ArrayList<>();
    private @Nullable Swapping swapping;
    private long weight;

    /** A batch that has not begun, of at most {@link GrantCopies#MAX_COPIES} extents. */
    MoveBatch(
            ClientCore core,
            Caller caller,
            List<Movable.Owner> owners,
            List<Extent> extents,
            int firstClass,
            int lastClass,
            Moves moves) {
        this.core = core;
        this.caller = caller;
        this.owners = owners;
        this.extents = extents;
        this.firstClass = firstClass;
        this.lastClass = lastClass;
        this.moves = moves;
        this.targets = new @Nullable BlockReference[extents.size()];
        this.refusals = new int[extents.size()];
        this.moved = new boolean[extents.size()];
        this.incarnation = core.session().incarnation();
        this.calls = new MoveCalls(core, caller);
    }

    /**
     * Moves them.
     *
     * @param window most bytes on their way at a time, or one block
     */
    void run(long window) throws CrailException, InterruptedException {
        try {
            grant();
            boolean wanted = true;
            for (int i = 0; i < extents.size() && wanted; i++) {
                BlockReference target = targets[i];
                if (target != null && refusals[i] == 0) {
                    makeRoom(window - weight(i));
                    wanted = moves.begin(i);
                    if (wanted) {
                        begin(i, target);
                    }
                }
            }
            makeRoom(Long.MIN_VALUE);
            swap();
            awaitSwap();
            tellRefusals();
        } finally {
            end();
        }
    }

    private void grant() throws CrailException {
        if (owners.size() != extents.size()) {
            throw new ProtocolException(
                    "the namenode named "
                            + owners.size()
                            + " owners of "
                            + extents.size()
                            + " extents");
        }
        if (extents.isEmpty()) {
            return;
        }
        List<GrantCopies.Copy> copies = new ArrayList<>();
        for (int i = 0; i < extents.size(); i++) {
            copies.add(new GrantCopies.Copy(owners.get(i).node(), tight(extents.get(i))));
        }
        GrantCopies.Reply reply = calls.grant(firstClass, lastClass, copies);
        int next = 0;
        for (int i = 0; i < extents.size(); i++) {
            boolean granted = reply.statuses()[i] == 0 && next < reply.grants().size();
            targets[i] = granted ? reply.grants().get(next++) : null;
            refusals[i] = reply.statuses()[i];
            BlockReference target = targets[i];
            if (target != null && target.length() < extents.get(i).length()) {
                refusals[i] = ErrorCode.BUSY.wire();
            }
        }
    }

    /**
     * Size of the smallest block that holds an extent, not of the one that it lies in: where blocks
     * are large, as on flash, small values would else keep such blocks when they come back.
     */
    private static int tight(Extent extent) {
        int rounded = Integer.highestOneBit(2 * extent.length() - 1);
        return Math.max(BlockGeometry.MIN_BLOCK, rounded);
    }

    private long weight(int index) {
        return Math.max(LEAST_WEIGHT, extents.get(index).block().length());
    }

    private void begin(int index, BlockReference target) {
        Movable.Owner owner = owners.get(index);
        BlockCopy.Way way =
                new BlockCopy.Way(core.blocks(), core.reader(), core.engine().buffers());
        weight += weight(index);
        underWay.add(
                new Copying(
                        index,
                        caller.begin(
                                "copy a block of " + owner.path(),
                                op ->
                                        new BlockCopy(way, op, owner, extents.get(index), target)
                                                .start())));
    }

    /** Waits for copies until no more than so many bytes are on their way; asks for swaps. */
    private void makeRoom(long room) throws CrailException, InterruptedException {
        while (!underWay.isEmpty() && (weight > room || underWay.element().copy.isDone())) {
            settle(underWay.element());
            Swapping known = swapping;
            if (known == null || known.reply.isDone()) {
                swap();
            }
        }
    }

    private void settle(Copying first) throws InterruptedException {
        try {
            copied.add(new Copied(first.index, first.copy.get()));
        } catch (ExecutionException e) {
            failed(first.index, cause(e));
        }
        underWay.remove();
        weight -= weight(first.index);
    }

    /** Asks for the swap of all that was copied, after the one before. */
    private void swap() throws CrailException, InterruptedException {
        awaitSwap();
        if (copied.isEmpty()) {
            return;
        }
        List<Copied> together = List.copyOf(copied);
        List<Move.Request> wanted = new ArrayList<>();
        for (Copied each : together) {
            wanted.add(
                    BlockMove.swapOf(owners.get(each.index), extents.get(each.index), each.copy));
        }
        swapping = new Swapping(together, calls.swap(wanted));
        copied.clear();
    }

    private void awaitSwap() throws CrailException, InterruptedException {
        Swapping known = swapping;
        if (known == null) {
            return;
        }
        int[] statuses;
        try {
            statuses = known.reply.get().statuses();
            MoveCalls.check(statuses, known.copies.size());
        } catch (ExecutionException e) {
            throw cause(e);
        }
        swapping = null;
        for (int i = 0; i < statuses.length; i++) {
            Copied each = known.copies.get(i);
            if (statuses[i] == 0) {
                moved[each.index] = true;
                moves.ended(each.index, true);
            } else {
                refused(each.index, statuses[i]);
            }
        }
    }

    /** Last: a listener that hears of a full class gives up, and others have got their blocks. */
    private void tellRefusals() {
        for (int i = 0; i < refusals.length; i++) {
            if (refusals[i] != 0) {
                refused(i, refusals[i]);
            }
        }
    }

    private void refused(int index, int status) {
        ErrorCode code = ErrorCode.ofWire(status);
        if (GONE.contains(code)) {
            moves.ended(index, false);
            return;
        }
        moves.failed(
                index,
                CrailException.of(
                        code,
                        owners.get(index).path()
                                + " at offset "
                                + extents.get(index).offset()
                                + " is not moved to a storage class from "
                                + firstClass
                                + " to "
                                + lastClass
                                + ": "
                                + MoveCalls.reason(code)));
    }

    private void failed(int index, CrailException cause) {
        if (GONE.contains(cause.code())) {
            moves.ended(index, false);
        } else {
            moves.failed(index, cause);
        }
    }

    private static CrailException cause(ExecutionException e) {
        if (e.getCause() instanceof CrailException cause) {
            return cause;
        }
        throw new AssertionError("a call fails with a CrailException", e);
    }

    /**
     * All that was not swapped in goes back. If a swap was called off, what it has taken goes back,
     * too: that is no longer granted then, and giving it back does nothing.
     */
    private void end() {
        underWay.forEach(each -> each.copy.cancel(true));
        Swapping known = swapping;
        if (known != null) {
            known.reply.cancel(true);
        }
        List<BlockId> spare = new ArrayList<>();
        for (int i = 0; i < targets.length; i++) {
            BlockReference target = targets[i];
            if (target != null && !moved[i]) {
                spare.add(target.id());
            }
        }
        core.session().returnBlocks(spare, incarnation);
    }
}
