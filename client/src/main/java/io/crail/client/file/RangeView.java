// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.view.HeldBlocks;
import io.crail.error.CrailException;
import io.crail.protocol.block.Extent;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Holds the pieces of a range: lent where that is possible, else copied. On a strand. */
final class RangeView implements RangeRead.Piecewise {
    private final Operation operation;
    private final ExtentReader reader;
    private final String path;
    private final boolean checksums;
    private final HeldBlocks held;

    RangeView(
            Operation operation,
            ExtentReader reader,
            String path,
            boolean checksums,
            HeldBlocks held) {
        this.operation = operation;
        this.reader = reader;
        this.path = path;
        this.checksums = checksums;
        this.held = held;
    }

    /** What is held when all pieces are there; or nothing at all. */
    static CompletableFuture<HeldBlocks> complete(
            Operation operation, HeldBlocks held, CompletableFuture<Void> pieces) {
        CompletableFuture<HeldBlocks> result = new CompletableFuture<>();
        Outcomes.whenDone(
                pieces,
                (done, cause) -> {
                    // Whoever called it off does not wait for the view any more.
                    CrailException failure = cause != null ? cause : operation.cancelled();
                    if (failure == null) {
                        result.complete(held);
                    } else {
                        held.close();
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    @Override
    public CompletableFuture<Void> read(Extent extent, long from, int length) {
        try {
            held.reserve();
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
        int within = (int) (from - extent.offset());
        CompletableFuture<Void> piece =
                held.copies()
                        ? copy(extent, within, from, length)
                        : lend(extent, within, from, length);
        return piece.whenComplete(
                (done, failure) -> {
                    if (failure != null) {
                        held.giveUp();
                    }
                });
    }

    private CompletableFuture<Void> lend(Extent extent, int within, long from, int length) {
        return reader.borrow(operation, path, extent, within, length, checksums)
                .thenCompose(
                        found -> {
                            if (found.isEmpty()) {
                                return copy(extent, within, from, length);
                            }
                            ExtentReader.Borrowed borrowed = found.get();
                            held.add(from, borrowed.bytes(), borrowed.loan());
                            return CompletableFuture.completedFuture(null);
                        });
    }

    /** Holds a piece in the calling thread, without waiting; false if anything is in the way. */
    static boolean lendNow(
            ExtentReader reader,
            Counters counters,
            HeldBlocks held,
            Extent extent,
            int within,
            int length,
            boolean checksums) {
        if (!held.tryReserve()) {
            return false;
        }
        ExtentReader.Borrowed borrowed =
                reader.borrowNow(counters, extent, within, length, checksums);
        if (borrowed == null) {
            held.giveUp();
            return false;
        }
        long from = extent.offset() + within;
        if (held.copies()) {
            // Direct, as memory is, so that who looks at it sees no difference until it is closed.
            ByteBuffer copy = ByteBuffer.allocateDirect(length).put(borrowed.bytes()).flip();
            borrowed.loan().close();
            held.add(from, copy, null);
        } else {
            held.add(from, borrowed.bytes(), borrowed.loan());
        }
        return true;
    }

    private CompletableFuture<Void> copy(Extent extent, int within, long from, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return reader.read(operation, path, extent, within, bytes, checksums)
                .thenRun(() -> held.add(from, bytes, null));
    }
}
