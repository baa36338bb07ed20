// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of a writer that are under way, or done and still held because they might have to be
 * written again; in order of the bytes. On the writer's strand.
 */
final class PieceQueue {
    /** Bytes of complete blocks that are kept until they are committed: a small file. */
    static final long KEPT = 1 << 20;

    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private long completedLength;

    PieceQueue(long length) {
        completedLength = length;
    }

    /** End of the contiguous prefix that is at the servers. */
    long completedLength() {
        return completedLength;
    }

    void add(Piece piece) {
        pieces.add(piece);
    }

    /** Whether the last bytes given to a block are still under way. */
    boolean isLastUnderWay(OpenBlock block) {
        Piece last = pieces.peekLast();
        return last != null && last.block() == block && !last.isDone();
    }

    /** Moves the end of the completed prefix. */
    void advance(long committedLength) {
        for (Piece piece : pieces) {
            if (!piece.isDone()) {
                break;
            }
            if (piece.end() > completedLength) {
                completedLength = piece.end();
                piece.block().complete(piece.endInBlock(), piece.tail());
            }
        }
        release(committedLength);
    }

    /** End of the bytes that were given to blocks. */
    long end() {
        Piece last = pieces.peekLast();
        return last == null ? completedLength : last.end();
    }

    /**
     * Lets go of what need not be written again: what is committed, and complete blocks if there is
     * much. A little is kept, in case that its server is gone when it is to be committed.
     */
    void release(long committedLength) {
        boolean much = completedLength - committedLength > KEPT;
        while (!pieces.isEmpty()) {
            Piece piece = pieces.element();
            boolean committed = piece.end() <= committedLength;
            boolean complete = piece.end() <= completedLength && piece.block().isFullyCompleted();
            if (!committed && !(complete && much)) {
                return;
            }
            pieces.remove();
            piece.owner().released(piece.length());
        }
    }

    /** Lets go of all that is written. */
    void giveUpHeld() {
        pieces.forEach(piece -> piece.owner().giveUpIfWritten());
    }

    /** The block of the first bytes that are not at that server yet, or null. */
    @Nullable OpenBlock firstUnwrittenAt(int server) {
        for (Piece piece : pieces) {
            if (!piece.isDone() && piece.block().reference().server() == server) {
                return piece.block();
            }
        }
        return null;
    }

    /** Whether everything from what is not committed of the block on can be written again. */
    boolean holdsFrom(OpenBlock block) {
        boolean found = false;
        long next = block.base() + block.committed();
        for (Piece piece : pieces) {
            found |= piece.block() == block;
            if (found) {
                if (!piece.owner().holds() || piece.start() != next) {
                    return false;
                }
                next = piece.end();
            }
        }
        return found;
    }

    /** Takes back everything from a position on, last piece first; what is under way is stopped. */
    List<Piece> takeBack(long position, CrailException cause) {
        List<Piece> taken = new ArrayList<>();
        while (!pieces.isEmpty() && pieces.getLast().start() >= position) {
            Piece piece = pieces.removeLast();
            piece.drop();
            stop(piece, cause);
            if (piece.isDone()) {
                piece.owner().unwritten(piece.length());
            }
            taken.add(piece);
        }
        completedLength = Math.min(completedLength, position);
        return taken;
    }

    /** Stops everything; then nobody touches the memory any more, and it goes. */
    void fail(CrailException cause) {
        pieces.forEach(piece -> stop(piece, cause));
        pieces.forEach(piece -> piece.owner().fail(cause));
        pieces.clear();
    }

    private static void stop(Piece piece, CrailException cause) {
        Operation operation = piece.operation();
        if (operation != null) {
            operation.cancel(cause);
        }
    }
}
