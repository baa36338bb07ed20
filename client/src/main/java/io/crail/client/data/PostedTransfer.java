// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a transfer, submitted to a data path. Its outcome comes on any thread and is
 * handed to the strand.
 */
final class PostedTransfer<T> implements Cancellable {
    private final RepeatedTransfer<T> owner;
    private final DataPaths.Route route;
    private final boolean afresh;
    private final BlockTransfer transfer;

    PostedTransfer(
            RepeatedTransfer<T> owner,
            DataPaths.Route route,
            boolean afresh,
            Function<PostedTransfer<T>, BlockTransfer> transfer) {
        this.owner = owner;
        this.route = route;
        this.afresh = afresh;
        this.transfer = transfer.apply(this);
    }

    void post() {
        Operation operation = owner.operation();
        operation.add(this);
        if (operation.cancelled() == null) {
            route.path().submit(transfer);
        }
        // Cancelled between the two: take back what was just submitted.
        CrailException cause = operation.cancelled();
        if (cause != null) {
            cancel(cause);
        }
    }

    private void then(Runnable task) {
        Operation operation = owner.operation();
        operation.remove(this);
        operation.strand().execute(task);
    }

    /**
     * @param giveBack run if nobody wants it any more
     */
    private void completed(T value, Runnable giveBack) {
        then(
                () -> {
                    if (!owner.completed(value)) {
                        giveBack.run();
                    }
                });
    }

    private void transferFailed(CrailException cause) {
        then(() -> owner.failed(route, afresh, cause));
    }

    private void declined(CrailException why) {
        then(() -> owner.declined(route, afresh, why));
    }

    @Override
    public void cancel(CrailException cause) {
        route.path().cancel(transfer);
        if (transfer instanceof Reading reading) {
            reading.dropLoan();
        }
        owner.operation().strand().execute(() -> owner.end(cause));
    }

    private Counters counters() {
        return owner.operation().engine().counters();
    }

    private Counters.Moved moved() {
        return route.moved();
    }

    private int remainingMillis() {
        return owner.operation().remainingMillis();
    }

    static final class Reading extends BlockTransfer.Read {
        private final PostedTransfer<BlockIo.Arrived> outcome;
        private final boolean takesLoan;
        private int @Nullable [] seen;
        private volatile boolean wasLent;

        /** From when it was lent until the transfer ends, in whichever way. */
        private final AtomicReference<@Nullable BlockLoan> loan = new AtomicReference<>();

        Reading(
                PostedTransfer<BlockIo.Arrived> outcome,
                BlockReference block,
                int offset,
                ByteBuffer target,
                boolean checksums,
                boolean takesLoan) {
            super(block, offset, target, checksums);
            this.outcome = outcome;
            this.takesLoan = takesLoan;
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void copyFrom(ByteBuffer memory, int from) {
            if (wantsChecksums()) {
                seen = ReadCheck.copy(memory, from, data());
            } else {
                super.copyFrom(memory, from);
            }
        }

        @Override
        public boolean takesLoan() {
            return takesLoan;
        }

        @Override
        public void lent(BlockLoan newLoan) {
            wasLent = true;
            loan.set(newLoan);
        }

        void dropLoan() {
            BlockLoan unwanted = loan.getAndSet(null);
            if (unwanted != null) {
                unwanted.close();
            }
        }

        @Override
        public void completed(int[] storedChecksums) {
            BlockLoan lent = loan.getAndSet(null);
            if (wasLent && lent == null) {
                // Called off just now, which tells the owner: the bytes are nowhere any more.
                return;
            }
            outcome.counters().read(outcome.moved(), length());
            if (lent != null) {
                outcome.moved().lent.add(length());
            }
            outcome.completed(
                    new BlockIo.Arrived(storedChecksums, seen, lent),
                    lent == null ? () -> {} : lent::close);
        }

        @Override
        public void failed(CrailException cause) {
            dropLoan();
            outcome.transferFailed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }

    static final class Summing extends BlockTransfer.Sums {
        private final PostedTransfer<int[]> outcome;

        Summing(PostedTransfer<int[]> outcome, BlockReference block, int offset, int length) {
            super(block, offset, length);
            this.outcome = outcome;
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.counters().blockReads.increment();
            outcome.completed(storedChecksums, () -> {});
        }

        @Override
        public void failed(CrailException cause) {
            outcome.transferFailed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }

    static final class Writing extends BlockTransfer.Write {
        private final PostedTransfer<int[]> outcome;
        private final WriteChecksums checksums;
        private final boolean first;

        Writing(
                PostedTransfer<int[]> outcome,
                BlockReference block,
                int offset,
                ByteBuffer source,
                WriteChecksums checksums,
                boolean first) {
            super(block, offset, source);
            this.outcome = outcome;
            this.checksums = checksums;
            this.first = first;
        }

        @Override
        public boolean isFirst() {
            return first;
        }

        @Override
        public boolean hasChecksums() {
            return checksums.hasChecksums();
        }

        @Override
        public int[] checksums() {
            return checksums.checksums();
        }

        @Override
        public void copyInto(ByteBuffer memory, int to) {
            checksums.copyInto(memory, to);
        }

        @Override
        public int remainingMillis() {
            return outcome.remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.counters().written(outcome.moved(), length());
            outcome.completed(storedChecksums, () -> {});
        }

        @Override
        public void failed(CrailException cause) {
            outcome.transferFailed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }

    static final class Borrowing extends BlockTransfer.Borrow {
        private final PostedTransfer<Optional<BlockLoan>> outcome;

        Borrowing(
                PostedTransfer<Optional<BlockLoan>> outcome,
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
            outcome.transferFailed(cause);
        }

        @Override
        public void declined(CrailException why) {
            outcome.declined(why);
        }
    }
}
