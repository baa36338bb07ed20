// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Moves bytes between a direct buffer and a block, on behalf of an operation. Futures complete on
 * the operation's strand; after a cancel of the operation the buffer is not touched any more.
 *
 * <p>A broken connection is tried again once, at once, by a fresh look at the server table: the
 * server may have been restarted elsewhere, or may have closed an idle connection. Repeating a read
 * or a write is harmless. If that fails, too, the server is lost. {@code BUSY} is tried again with
 * pauses.
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
        Try attempt = new Try(operation, block, offset, target, new int[0], checksums, false);
        attempt.start();
        return attempt.future;
    }

    /** Writes the source into the block, with salted checksums of the chunks it touches. */
    public CompletableFuture<int[]> write(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer source,
            int[] checksums) {
        Try attempt = new Try(operation, block, offset, source, checksums, false, true);
        attempt.start();
        return attempt.future;
    }

    /** One transfer with its repetitions. */
    private final class Try {
        private final Operation operation;
        private final BlockReference block;
        private final int offset;
        private final ByteBuffer data;
        private final int[] checksums;
        private final boolean wantsChecksums;
        private final boolean write;
        private final CompletableFuture<int[]> future = new CompletableFuture<>();
        private boolean triedAgain;

        Try(
                Operation operation,
                BlockReference block,
                int offset,
                ByteBuffer data,
                int[] checksums,
                boolean wantsChecksums,
                boolean write) {
            this.operation = operation;
            this.block = block;
            this.offset = offset;
            this.data = data;
            this.checksums = checksums;
            this.wantsChecksums = wantsChecksums;
            this.write = write;
        }

        void start() {
            Outcomes.whenDone(
                    paths.route(operation, block.server(), triedAgain),
                    (route, cause) -> {
                        if (cause != null) {
                            future.completeExceptionally(cause);
                        } else {
                            start(route);
                        }
                    });
        }

        private void start(DataPaths.Route route) {
            operation.waitingFor(() -> route.peer().toString());
            Transfer outcome = new Transfer(this, route);
            BlockTransfer transfer = write ? new Writing(outcome) : new Reading(outcome);
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

        private void failed(CrailException cause) {
            if (cause.code() == ErrorCode.SERVER_LOST && !triedAgain) {
                triedAgain = true;
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
    }

    /** What becomes of one submitted transfer; called on the polling thread. */
    private static final class Transfer implements Cancellable {
        private final Try attempt;
        private final DataPaths.Route route;
        private BlockTransfer transfer;

        @SuppressWarnings("NullAway.Init") // The transfer and its outcome refer to each other.
        Transfer(Try attempt, DataPaths.Route route) {
            this.attempt = attempt;
            this.route = route;
        }

        void completed(int[] stored) {
            Operation operation = attempt.operation;
            operation.remove(this);
            operation.strand().execute(() -> attempt.future.complete(stored));
        }

        void failed(CrailException cause) {
            Operation operation = attempt.operation;
            operation.remove(this);
            operation.strand().execute(() -> attempt.failed(cause));
        }

        @Override
        public void cancel(CrailException cause) {
            route.path().cancel(transfer);
            attempt.operation.strand().execute(() -> attempt.future.completeExceptionally(cause));
        }
    }

    private static final class Reading extends BlockTransfer.Read {
        private final Transfer outcome;

        Reading(Transfer outcome) {
            super(
                    outcome.attempt.block,
                    outcome.attempt.offset,
                    outcome.attempt.data,
                    outcome.attempt.wantsChecksums);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.attempt.operation.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            var counters = outcome.attempt.operation.engine().counters();
            counters.blockReads.increment();
            counters.bytesRead.add(data().remaining());
            outcome.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.failed(cause);
        }
    }

    private static final class Writing extends BlockTransfer.Write {
        private final Transfer outcome;

        Writing(Transfer outcome) {
            super(
                    outcome.attempt.block,
                    outcome.attempt.offset,
                    outcome.attempt.data,
                    outcome.attempt.checksums);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.attempt.operation.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            var counters = outcome.attempt.operation.engine().counters();
            counters.blockWrites.increment();
            counters.bytesWritten.add(data().remaining());
            outcome.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.failed(cause);
        }
    }
}
