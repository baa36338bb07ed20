// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One transfer with its repetitions, within the deadline of its operation. On the operation's
 * strand.
 *
 * <p>A server that cannot be reached may be gone, may have come back elsewhere, or may be on its
 * way back. Only the namenode knows, so it is asked before every repetition where the server is and
 * in which state:
 *
 * <ul>
 *   <li>dead: the transfer fails at once;
 *   <li>expected (its connection to the namenode ended, or the namenode has just started): the
 *       transfer waits for it with growing pauses, trying each time, until the server is back, is
 *       declared dead, or the deadline passes, which then is {@code BUSY};
 *   <li>live: it is tried there, at once and once more after a short pause, since the namenode
 *       notices the end of a server a moment after its clients. If it refuses still, it is lost.
 * </ul>
 *
 * <p>Repeating a read or a write is harmless. {@code BUSY} of the server itself is tried again with
 * growing pauses.
 */
final class RepeatedTransfer {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long a namenode may take to notice that a connection of a server has ended. */
    private static final long NOTICE = TimeUnit.MILLISECONDS.toNanos(100);

    /** Refusals of a server of which the namenode says that it lives. */
    private static final int MAX_REFUSALS = 2;

    /**
     * What is moved.
     *
     * @param data from its position to its limit
     * @param checksums of a write: salted, of the chunks touched
     * @param wantsChecksums of a read: whether it yields the stored ones
     */
    record Bytes(
            BlockReference block,
            int offset,
            ByteBuffer data,
            int[] checksums,
            boolean wantsChecksums,
            boolean write) {}

    private final DataPaths paths;
    private final Operation operation;
    private final Bytes bytes;
    private final Runnable awaited;
    private final CompletableFuture<int[]> future = new CompletableFuture<>();
    private long pause = FIRST_PAUSE;
    private int refusals;
    private boolean told;

    /** What to say instead of "timed out" when the deadline passes. */
    private @Nullable CrailException hindrance;

    /**
     * @param awaited run, once, when the server is away and expected back
     */
    RepeatedTransfer(DataPaths paths, Operation operation, Bytes bytes, Runnable awaited) {
        this.paths = paths;
        this.operation = operation;
        this.bytes = bytes;
        this.awaited = awaited;
    }

    Operation operation() {
        return operation;
    }

    Bytes bytes() {
        return bytes;
    }

    CompletableFuture<int[]> start() {
        attempt(false);
        return future;
    }

    private void attempt(boolean afresh) {
        Outcomes.whenDone(
                paths.route(operation, bytes.block().server(), afresh),
                (route, cause) -> {
                    if (cause == null) {
                        operation.waitingFor(() -> route.peer().toString());
                        new PostedTransfer(this, route, afresh).post();
                    } else {
                        end(cause);
                    }
                });
    }

    void completed(int[] stored) {
        future.complete(stored);
    }

    /**
     * An attempt failed.
     *
     * @param afresh whether it went where the namenode had just said
     */
    void failed(DataPaths.Route route, boolean afresh, CrailException cause) {
        switch (cause.code()) {
            case SERVER_LOST -> unreachable(route, afresh, cause);
            case BUSY -> {
                hindrance = cause;
                attemptAfter(nextPause());
            }
            case ACCESS_DENIED, VERSION_MISMATCH -> {
                // Perhaps another server listens there now.
                if (afresh) {
                    end(cause);
                } else {
                    attempt(true);
                }
            }
            default -> end(cause);
        }
    }

    private void unreachable(DataPaths.Route route, boolean afresh, CrailException cause) {
        if (!afresh) {
            attempt(true);
        } else if (route.expected()) {
            refusals = 0;
            hindrance = away(route, cause);
            operation.waitingFor(() -> route.peer() + ", which is expected back");
            attemptAfter(nextPause());
            if (!told) {
                told = true;
                awaited.run();
            }
        } else if (++refusals < MAX_REFUSALS) {
            hindrance = null;
            attemptAfter(NOTICE);
        } else {
            end(cause);
        }
    }

    private static BusyException away(DataPaths.Route route, CrailException cause) {
        return new BusyException(
                route.peer()
                        + " is away; the namenode expects it back, but it has not come within the"
                        + " deadline ("
                        + cause.getMessage()
                        + "). Try again, or start it",
                cause);
    }

    private long nextPause() {
        long now = pause;
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
        return now;
    }

    private void attemptAfter(long nanos) {
        Pause waiting = new Pause();
        operation.add(waiting);
        operation.engine().schedule(nanos, () -> operation.strand().execute(waiting::over));
    }

    /** The transfer will not take place. */
    void end(CrailException cause) {
        CrailException better = hindrance;
        boolean late = cause.code() == ErrorCode.TIMEOUT && better != null;
        future.completeExceptionally(late ? better : cause);
    }

    /** Between two attempts. */
    private final class Pause implements Cancellable {
        void over() {
            if (operation.cancelled() == null) {
                operation.remove(this);
                attempt(true);
            }
        }

        @Override
        public void cancel(CrailException cause) {
            operation.strand().execute(() -> end(cause));
        }
    }
}
