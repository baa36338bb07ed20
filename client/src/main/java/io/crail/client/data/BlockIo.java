// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes between a direct buffer and a block, on behalf of an operation. Futures complete on
 * the operation's strand; after a cancel of the operation the buffer is not touched any more.
 *
 * <p>A broken connection is tried again once, at once, by a fresh look at the server table: the
 * server may have been restarted elsewhere, or may have closed an idle connection. Repeating a read
 * or a write is harmless. If that fails, too, the server is lost. {@code BUSY} is tried again with
 * pauses. A path that cannot be used from here passes its transfers on to the next one.
 */
public final class BlockIo {
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    private final DataPaths paths;

    public BlockIo(DataPaths paths) {
        this.paths = paths;
    }

    /** Fills the target from the block; yields the stored checksums, if asked for. */
    CompletableFuture<int[]> read(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums) {
        return new Try<int[]>(operation, block, null) {
            @Override
            BlockTransfer transfer(Transfer<int[]> outcome) {
                return new Reading(outcome, block, offset, target, checksums);
            }
        }.begin();
    }

    /** Writes the source into the block, with salted checksums of the chunks it touches. */
    public CompletableFuture<int[]> write(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer source,
            int[] checksums) {
        return new Try<int[]>(operation, block, null) {
            @Override
            BlockTransfer transfer(Transfer<int[]> outcome) {
                return new Writing(outcome, block, offset, source, checksums);
            }
        }.begin();
    }

    /** Borrows memory of the block; empty if its server's memory cannot be reached from here. */
    CompletableFuture<Optional<BlockLoan>> borrow(
            Operation operation, BlockReference block, int offset, int length, boolean checksums) {
        return new Try<Optional<BlockLoan>>(operation, block, Optional.empty()) {
            @Override
            BlockTransfer transfer(Transfer<Optional<BlockLoan>> outcome) {
                return new Borrowing(outcome, block, offset, length, checksums);
            }
        }.begin();
    }

    /** One transfer with its repetitions. */
    private abstract class Try<T> {
        private final Operation operation;
        private final BlockReference block;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private final @Nullable T unlent;
        private DataPaths.@Nullable Route failed;

        /**
         * @param unlent the outcome if the way lends no memory; null: none is borrowed
         */
        Try(Operation operation, BlockReference block, @Nullable T unlent) {
            this.unlent = unlent;
            this.operation = operation;
            this.block = block;
        }

        /** The transfer to submit. */
        abstract BlockTransfer transfer(Transfer<T> outcome);

        CompletableFuture<T> begin() {
            start();
            return future;
        }

        private void start() {
            Outcomes.whenDone(
                    paths.route(operation, block.server(), failed),
                    (route, cause) -> {
                        if (cause != null) {
                            future.completeExceptionally(cause);
                        } else {
                            start(route);
                        }
                    });
        }

        private void start(DataPaths.Route route) {
            if (unlent != null && !route.path().lends()) {
                future.complete(unlent);
                return;
            }
            operation.waitingFor(() -> route.peer().toString());
            Transfer<T> outcome = new Transfer<>(this, route);
            BlockTransfer transfer = transfer(outcome);
            outcome.transfer = transfer;
            operation.add(outcome);
            if (operation.cancelled() == null) {
                route.path().submit(transfer);
            }
            // Cancelled between the two: take back what was just submitted.
            CrailException cause = operation.cancelled();
            if (cause != null) {
                outcome.cancel(cause);
            }
        }

        private void failed(DataPaths.Route route, CrailException cause) {
            if (cause.code() == ErrorCode.SERVER_LOST && failed == null) {
                failed = route;
                start();
            } else if (cause.code() == ErrorCode.BUSY && operation.remainingNanos() > BUSY_PAUSE) {
                operation
                        .engine()
                        .schedule(BUSY_PAUSE, () -> operation.strand().execute(this::startAgain));
            } else {
                future.completeExceptionally(cause);
            }
        }

        private void startAgain() {
            CrailException cause = operation.cancelled();
            if (cause != null) {
                future.completeExceptionally(cause);
            } else {
                start();
            }
        }

        private void declined(DataPaths.Route route, CrailException why) {
            CrailException cause = operation.cancelled();
            if (cause != null) {
                future.completeExceptionally(cause);
                return;
            }
            try {
                start(paths.next(route, why));
            } catch (CrailException e) {
                future.completeExceptionally(e);
            }
        }
    }

    /** What becomes of one submitted transfer; called on any thread. */
    private static final class Transfer<T> implements Cancellable {
        private final Try<T> attempt;
        private final DataPaths.Route route;
        private BlockTransfer transfer;

        @SuppressWarnings("NullAway.Init") // The transfer and its outcome refer to each other.
        Transfer(Try<T> attempt, DataPaths.Route route) {
            this.attempt = attempt;
            this.route = route;
        }

        Counters counters() {
            return attempt.operation.engine().counters();
        }

        Counters.Moved moved() {
            return route.moved();
        }

        int remainingMillis() {
            return attempt.operation.remainingMillis();
        }

        /** On the strand of the operation. */
        private void then(Runnable task) {
            attempt.operation.remove(this);
            attempt.operation.strand().execute(task);
        }

        void completed(T value) {
            then(() -> attempt.future.complete(value));
        }

        /** As {@link #completed}, for what must be given back if nobody wants it any more. */
        void completed(T value, Runnable giveBack) {
            then(
                    () -> {
                        if (!attempt.future.complete(value)) {
                            giveBack.run();
                        }
                    });
        }

        void failed(CrailException cause) {
            then(() -> attempt.failed(route, cause));
        }

        void declined(CrailException why) {
            then(() -> attempt.declined(route, why));
        }

        @Override
        public void cancel(CrailException cause) {
            route.path().cancel(transfer);
            attempt.operation.strand().execute(() -> attempt.future.completeExceptionally(cause));
        }
    }

    private static final class Reading extends BlockTransfer.Read {
        private final Transfer<int[]> outcome;

        Reading(
                Transfer<int[]> outcome,
                BlockReference block,
                int offset,
                ByteBuffer target,
                boolean checksums) {
            super(block, offset, target, checksums);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.counters().blockReads.increment();
            outcome.counters().bytesRead.add(length());
            outcome.moved().read.add(length());
            outcome.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.failed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }

    private static final class Writing extends BlockTransfer.Write {
        private final Transfer<int[]> outcome;

        Writing(
                Transfer<int[]> outcome,
                BlockReference block,
                int offset,
                ByteBuffer source,
                int[] checksums) {
            super(block, offset, source, checksums);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.counters().blockWrites.increment();
            outcome.counters().bytesWritten.add(length());
            outcome.moved().written.add(length());
            outcome.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.failed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }

    private static final class Borrowing extends BlockTransfer.Borrow {
        private final Transfer<Optional<BlockLoan>> outcome;

        Borrowing(
                Transfer<Optional<BlockLoan>> outcome,
                BlockReference block,
                int offset,
                int length,
                boolean checksums) {
            super(block, offset, length, checksums);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void lent(BlockLoan loan) {
            outcome.moved().lent.add(length());
            outcome.completed(Optional.of(loan), loan::close);
        }

        @Override
        public void completed(int[] storedChecksums) {
            throw new IllegalStateException("a loan was asked for");
        }

        @Override
        public void failed(CrailException cause) {
            outcome.failed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }
}
