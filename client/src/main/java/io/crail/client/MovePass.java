// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.data.BlockCopy;
import io.crail.client.data.BlockMove;
import io.crail.client.engine.Operation;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Movable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongFunction;

/**
 * Once through the namespace, moving what the namenode names page by page. For one thread; the
 * blocks of a page are on their way together.
 */
final class MovePass implements CrailTiering.Moves {
    /** Blocks on their way at a time: up to 1 MiB of the buffer pool each. */
    private static final int BLOCKS = 8;

    /** The same in bytes. */
    static final long WINDOW = (long) BLOCKS << 20;

    /** How what a page names is moved; it tells what becomes of each extent. */
    @FunctionalInterface
    interface Carrier {
        void carry(List<Movable.Owner> owners, List<Extent> extents, CrailTiering.Moves moves)
                throws CrailException, InterruptedException;
    }

    private final ClientCore core;
    private final Caller caller;
    private final LongFunction<Movable.Request> pages;
    private final Carrier carrier;
    private final String what;
    private final CrailAdmin.Progress progress;
    private List<Extent> moving = List.of();
    private long blocks;
    private long bytes;
    private long busy;
    private long pinned;
    private long failed;
    private String failure = "";
    private boolean stuck;

    /**
     * A pass that has not begun.
     *
     * @param pages asks for the page of a cursor
     * @param what is moved, for messages
     */
    MovePass(
            ClientCore core,
            Caller caller,
            LongFunction<Movable.Request> pages,
            Carrier carrier,
            String what,
            CrailAdmin.Progress progress) {
        this.core = core;
        this.caller = caller;
        this.pages = pages;
        this.carrier = carrier;
        this.what = what;
        this.progress = progress;
    }

    /** Ends at the end of the namespace, or where nothing of a page could be moved. */
    void run() throws CrailException {
        long cursor = 0;
        do {
            cursor = page(cursor);
        } while (cursor != 0 && !stuck);
    }

    boolean isStuck() {
        return stuck;
    }

    long blocks() {
        return blocks;
    }

    long bytes() {
        return bytes;
    }

    long busy() {
        return busy;
    }

    long pinned() {
        return pinned;
    }

    long failed() {
        return failed;
    }

    String failure() {
        return failure;
    }

    /** Moves what a page names; returns the cursor of the next one, 0 = none. */
    private long page(long cursor) throws CrailException {
        Movable.Reply page = caller.call("list ", what, op -> movable(op, cursor));
        busy += page.busy();
        pinned += page.pinned();
        long before = blocks;
        moving = page.extents();
        try {
            carrier.carry(page.owners(), moving, this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("moving " + what + ": interrupted");
        }
        boolean again = page.next() != 0 && page.next() == Math.max(1, cursor);
        stuck = again && blocks == before;
        return page.next();
    }

    private CompletableFuture<Movable.Reply> movable(Operation operation, long cursor) {
        return core.session()
                .call(operation, pages.apply(cursor))
                .thenApply(
                        reply -> {
                            try {
                                return Movable.Reply.decode(reply.control());
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    @Override
    public boolean begin(int index) {
        return true;
    }

    @Override
    public void ended(int index, boolean moved) {
        if (moved) {
            blocks++;
            bytes += moving.get(index).length();
            progress.moved(blocks, bytes);
        }
    }

    @Override
    public void failed(int index, CrailException cause) {
        if (cause.code() == ErrorCode.LEASE_HELD) {
            busy++;
        } else {
            failed++;
            failure = String.valueOf(cause.getMessage());
        }
    }

    /** Moves blocks one by one to other servers; some are on their way together. */
    static Carrier awayFrom(int server, ClientCore core, Caller caller) {
        BlockCopy.Way way =
                new BlockCopy.Way(core.blocks(), core.reader(), core.engine().buffers());
        return (owners, extents, pass) -> {
            for (int first = 0; first < extents.size(); first += BLOCKS) {
                List<CrailFuture<Boolean>> moves = new ArrayList<>();
                for (int i = first; i < Math.min(extents.size(), first + BLOCKS); i++) {
                    Movable.Owner owner = owners.get(i);
                    Extent extent = extents.get(i);
                    moves.add(
                            caller.begin(
                                    "move a block of " + owner.path(),
                                    op ->
                                            new BlockMove(
                                                            core.session(),
                                                            way,
                                                            op,
                                                            owner,
                                                            extent,
                                                            server)
                                                    .start()));
                }
                for (int i = 0; i < moves.size(); i++) {
                    tell(first + i, moves.get(i), pass);
                }
            }
        };
    }

    private static void tell(int index, CrailFuture<Boolean> move, CrailTiering.Moves pass)
            throws InterruptedException {
        try {
            pass.ended(index, move.get());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof CrailException cause)) {
                throw new AssertionError("a call fails with a CrailException", e);
            }
            pass.failed(index, cause);
        }
    }
}
