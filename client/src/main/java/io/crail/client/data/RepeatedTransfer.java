// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
 * <p>A reference is good in the session that it was granted in. If that expires meanwhile, the
 * transfer ends: a server would not only deny it, but hang up on all others of the connection.
 *
 * <p>Repeating a read or a write is harmless. {@code BUSY} of the server itself is tried again with
 * growing pauses.
 */
final class RepeatedTransfer<T> {
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    /** How long a namenode may take to notice that a connection of a server has ended. */
    private static final long NOTICE = TimeUnit.MILLISECONDS.toNanos(100);

    /** Refusals of a server of which the namenode says that it lives. */
    private static final int MAX_REFUSALS = 2;

    private final DataPaths paths;
    private final long session;
    private final Operation operation;
    private final BlockReference block;
    private final Function<PostedTransfer<T>, BlockTransfer> transfer;
    private final Runnable awaited;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private long pause = FIRST_PAUSE;
    private int refusals;
    private boolean told;
    private @Nullable T unlent;

    /** The way that failed last. */
    private DataPaths.@Nullable Route failed;

    /** What to say instead of "timed out" when the deadline passes. */
    private @Nullable CrailException hindrance;

    /**
     * @param transfer makes the transfer of an attempt
     * @param awaited run, once, when the server is away and expected back
     */
    RepeatedTransfer(
            DataPaths paths,
            Operation operation,
            BlockReference block,
            Function<PostedTransfer<T>, BlockTransfer> transfer,
            Runnable awaited) {
        this.paths = paths;
        this.session = paths.session();
        this.operation = operation;
        this.block = block;
        this.transfer = transfer;
        this.awaited = awaited;
    }

    Operation operation() {
        return operation;
    }

    /** The outcome if the server's memory cannot be reached: it is memory that is asked for. */
    RepeatedTransfer<T> unlessLent(T outcome) {
        unlent = outcome;
        return this;
    }

    CompletableFuture<T> start() {
        attempt(false);
        return future;
    }

    private void attempt(boolean afresh) {
        Outcomes.whenDone(
                paths.route(operation, block.server(), afresh, failed),
                (route, cause) -> {
                    if (cause == null) {
                        post(route, afresh);
                    } else {
                        end(cause);
                    }
                });
    }

    private void post(DataPaths.Route route, boolean afresh) {
        if (route.peer().session() != session) {
            end(
                    new AccessDeniedException(
                            "reference to "
                                    + block
                                    + " was granted in a session that has expired"));
            return;
        }
        if (unlent != null && !route.path().lends()) {
            future.complete(unlent);
            return;
        }
        operation.waitingFor(() -> route.peer().toString());
        new PostedTransfer<>(this, route, afresh, transfer).post();
    }

    /** False if nobody wants it any more. */
    boolean completed(T value) {
        return future.complete(value);
    }

    /** The way cannot be used from here: the next one may. */
    void declined(DataPaths.Route route, boolean afresh, CrailException why) {
        CrailException cause = operation.cancelled();
        if (cause != null) {
            end(cause);
            return;
        }
        try {
            post(paths.next(route, why), afresh);
        } catch (CrailException e) {
            end(e);
        }
    }

    /**
     * An attempt failed.
     *
     * @param afresh whether it went where the namenode had just said
     */
    void failed(DataPaths.Route route, boolean afresh, CrailException cause) {
        failed = cause.code() == ErrorCode.BUSY ? null : route;
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
            // The server knows of no names.
            case OUT_OF_SPACE ->
                    end(
                            new OutOfSpaceException(
                                    operation.what() + ": " + cause.getMessage(), cause));
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
