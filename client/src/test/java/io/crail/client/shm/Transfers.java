// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Transfers whose outcome is a future; a declined one fails with {@link Declined}. */
final class Transfers {
    /** The path is not for us. */
    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Declined(CrailException why) {
            super(why);
        }
    }

    private Transfers() {}

    static final class Reading extends BlockTransfer.Read {
        final CompletableFuture<int[]> outcome = new CompletableFuture<>();

        Reading(BlockReference block, int offset, ByteBuffer target, boolean checksums) {
            super(block, offset, target, checksums);
        }

        @Override
        public int remainingMillis() {
            return 10_000;
        }

        @Override
        public void declined(CrailException why) {
            outcome.completeExceptionally(new Declined(why));
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.complete(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.completeExceptionally(cause);
        }
    }

    static final class Summing extends BlockTransfer.Sums {
        final CompletableFuture<int[]> outcome = new CompletableFuture<>();

        Summing(BlockReference block, int offset, int length) {
            super(block, offset, length);
        }

        @Override
        public int remainingMillis() {
            return 10_000;
        }

        @Override
        public void declined(CrailException why) {
            outcome.completeExceptionally(new Declined(why));
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.complete(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.completeExceptionally(cause);
        }
    }

    static final class Writing extends BlockTransfer.Write {
        final CompletableFuture<int[]> outcome = new CompletableFuture<>();

        private final int[] checksums;

        Writing(BlockReference block, int offset, ByteBuffer source, int[] checksums) {
            super(block, offset, source);
            this.checksums = checksums;
        }

        @Override
        public int[] checksums() {
            return checksums;
        }

        @Override
        public int remainingMillis() {
            return 10_000;
        }

        @Override
        public void declined(CrailException why) {
            outcome.completeExceptionally(new Declined(why));
        }

        @Override
        public void completed(int[] storedChecksums) {
            outcome.complete(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            outcome.completeExceptionally(cause);
        }
    }

    static final class Borrowing extends BlockTransfer.Borrow {
        final CompletableFuture<BlockLoan> outcome = new CompletableFuture<>();

        Borrowing(BlockReference block, int offset, int length, boolean checksums) {
            super(block, offset, length, checksums);
        }

        @Override
        public int remainingMillis() {
            return 10_000;
        }

        @Override
        public void declined(CrailException why) {
            outcome.completeExceptionally(new Declined(why));
        }

        @Override
        public void lent(BlockLoan loan) {
            outcome.complete(loan);
        }

        @Override
        public void completed(int[] storedChecksums) {
            throw new IllegalStateException("a loan was asked for");
        }

        @Override
        public void failed(CrailException cause) {
            outcome.completeExceptionally(cause);
        }
    }
}
