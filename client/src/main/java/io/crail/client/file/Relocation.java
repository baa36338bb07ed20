// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes bytes of a writer to other servers when theirs is lost, away or does not answer. On the
 * writer's strand.
 *
 * <p>All bytes from the first uncommitted one of a block on are taken back and cut anew, if all of
 * them are still held in memory. Whoever writes to the old block later harms nobody: until it is
 * free it is granted to this writer alone, and it becomes free under another generation. What is
 * committed of it is never continued.
 *
 * <p>A server that is only away or slow may answer yet. Its blocks are given up only when blocks of
 * other servers are at hand, so a store with one server waits for it as long as the deadline
 * permits.
 *
 * <p>While a commit is under way nobody knows what is committed: what happens meanwhile is looked
 * at afterwards.
 */
final class Relocation {
    private static final int MAX_REWINDS = 8;
    private static final long LONGEST_PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** What is moved, and for whom. */
    interface Writer {
        /** These pieces, the last one first, must be cut again from the position on. */
        void takeBack(List<Piece> pieces, long position);

        void fail(CrailException cause);

        boolean hasFailed();
    }

    private final WriterContext context;
    private final Writer writer;
    private final BlockIo io;
    private final PieceQueue pieces;
    private final BlockCutter cutter;
    private final GrantSupply grants;
    private final CommitQueue commits;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private int rewinds;
    private boolean securing;

    Relocation(
            WriterContext context,
            Writer writer,
            BlockIo io,
            PieceQueue pieces,
            BlockCutter cutter,
            GrantSupply grants,
            CommitQueue commits) {
        this.context = context;
        this.writer = writer;
        this.io = io;
        this.pieces = pieces;
        this.cutter = cutter;
        this.grants = grants;
        this.commits = commits;
    }

    /**
     * How long a server may take for a write, before another one is looked for: long enough for a
     * pause of a busy server, short enough for several tries within the deadline.
     */
    static long patienceNanos(long timeoutNanos) {
        return Math.min(LONGEST_PATIENCE, timeoutNanos / 4);
    }

    /** A write failed: elsewhere, if its server is lost and the bytes are held; else for good. */
    void failed(Piece piece, CrailException cause) {
        if (piece.isDropped() || writer.hasFailed()) {
            return;
        }
        OpenBlock first = pieces.firstUnwrittenAt(piece.block().reference().server());
        if (cause.code() != ErrorCode.SERVER_LOST || first == null || rewinds == MAX_REWINDS) {
            writer.fail(cause);
        } else if (commits.isUnderWay()) {
            afterCommit.add(() -> failed(piece, cause));
        } else if (pieces.holdsFrom(first)) {
            rewind(first, cause);
        } else {
            writer.fail(cause);
        }
    }

    /** A write is not answered, or its server is away; it goes on unless there is another place. */
    void late(Piece piece) {
        if (piece.isDropped() || piece.isDone() || writer.hasFailed()) {
            return;
        }
        if (commits.isUnderWay()) {
            afterCommit.add(() -> late(piece));
            return;
        }
        OpenBlock first = pieces.firstUnwrittenAt(piece.block().reference().server());
        if (first != null) {
            moveIfPossible(first, () -> late(piece));
        }
    }

    private void moveIfPossible(OpenBlock first, Runnable again) {
        if (rewinds == MAX_REWINDS || !pieces.holdsFrom(first)) {
            return;
        }
        int server = first.reference().server();
        long missing =
                pieces.end() - first.base() - first.committed() - grants.bytesElsewhere(server);
        if (missing <= 0) {
            rewind(
                    first,
                    new ServerLostException(
                            context.path()
                                    + ": storage server "
                                    + server
                                    + " does not answer; its bytes are written elsewhere"));
        } else if (!securing) {
            securing = true;
            grants.secure(
                    server,
                    missing,
                    obtained -> {
                        securing = false;
                        if (obtained) {
                            again.run();
                        }
                    });
        }
    }

    /** What waited for the end of a commit. */
    void commitEnded() {
        List<Runnable> now = List.copyOf(afterCommit);
        afterCommit.clear();
        now.forEach(Runnable::run);
    }

    /**
     * The namenode refused a commit, so nothing of it took place, because a server of its blocks is
     * lost or away. The bytes there are written elsewhere if possible; if not, a commit that may
     * succeed later is tried again, and another one fails the writer.
     */
    void commitRefused(CrailException cause) {
        Operation operation = context.begin("look for the storage servers of ");
        Outcomes.whenDone(
                io.serversAway(operation),
                (away, unknown) -> {
                    context.end(operation);
                    if (!writer.hasFailed()) {
                        refused(cause, unknown == null ? away : Set.of());
                        commitEnded();
                    }
                    if (!writer.hasFailed()) {
                        commits.again();
                    }
                });
    }

    private void refused(CrailException cause, Set<Integer> away) {
        boolean lost = cause.code() == ErrorCode.SERVER_LOST;
        OpenBlock first = firstUncommitted(away, lost);
        if (!lost) {
            if (first != null) {
                moveIfPossible(first, () -> {});
            }
        } else if (first != null && rewinds < MAX_REWINDS && pieces.holdsFrom(first)) {
            rewind(first, cause);
        } else {
            writer.fail(cause);
        }
    }

    /** Of a server that is away; or, if it came back without its data, any. */
    private @Nullable OpenBlock firstUncommitted(Set<Integer> away, boolean any) {
        OpenBlock first = null;
        for (OpenBlock block : cutter.blocks()) {
            if (block.hasUncommitted()) {
                if (away.contains(block.reference().server())) {
                    return block;
                }
                first = first == null ? block : first;
            }
        }
        return any ? first : null;
    }

    /** Takes back all pieces from the block on, and the blocks, and has the bytes cut again. */
    private void rewind(OpenBlock lost, CrailException cause) {
        rewinds++;
        long position = lost.base() + lost.committed();
        List<Piece> taken = pieces.takeBack(position, cause);
        List<BlockId> useless = grants.exclude(lost.reference().server());
        useless.addAll(cutter.abandonFrom(lost));
        commits.giveBack(useless);
        writer.takeBack(taken, position);
    }
}
