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
import org.jspecify.annotations.Nullable;

/**
 * Holds the pieces of a range: lent where that is possible, else copied, each to memory of its own
 * or to where it belongs in a buffer of the caller's. On a strand.
 */
final class RangeView implements RangeRead.Piecewise {
    /**
     * A buffer for what is copied.
     *
     * @param bytes all of it, for the whole range
     * @param position of the range
     */
    record Spare(ByteBuffer bytes, long position) {
        ByteBuffer part(long from, int length) {
            return bytes.slice((int) (from - position), length);
        }
    }

    private final Operation operation;
    private final ExtentReader reader;
    private final String path;
    private final boolean checksums;
    private final HeldBlocks held;
    private final @Nullable Spare spare;

    RangeView(
            Operation operation,
            ExtentReader reader,
            String path,
            boolean checksums,
            HeldBlocks held,
            @Nullable Spare spare) {
        this.operation = operation;
        this.reader = reader;
        this.path = path;
        this.checksums = checksums;
        this.held = held;
        this.spare = spare;
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
        Spare own = spare;
        if (own != null && (held.copies() || !held.tryReserve())) {
            return copy(extent, from, own.part(from, length));
        }
        if (own == null) {
            try {
                held.reserve();
            } catch (CrailException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        CompletableFuture<Void> piece =
                held.copies()
                        ? copy(extent, from, ByteBuffer.allocate(length))
                        : lend(extent, from, length);
        return piece.whenComplete(
                (done, failure) -> {
                    if (failure != null) {
                        held.giveUp();
                    }
                });
    }

    private CompletableFuture<Void> lend(Extent extent, long from, int length) {
        int within = (int) (from - extent.offset());
        return reader.borrow(operation, path, extent, within, length, checksums)
                .thenCompose(
                        found -> {
                            if (found.isEmpty()) {
                                return readOrLend(extent, from, length);
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

    private CompletableFuture<Void> readOrLend(Extent extent, long from, int length) {
        Spare own = spare;
        if (own == null) {
            return copy(extent, from, ByteBuffer.allocate(length));
        }
        int within = (int) (from - extent.offset());
        return reader.readOrLend(operation, path, extent, within, own.part(from, length), checksums)
                .thenAccept(
                        seen -> {
                            if (seen.loan() == null) {
                                held.giveUp();
                            }
                            held.add(from, seen.bytes(), seen.loan());
                        });
    }

    private CompletableFuture<Void> copy(Extent extent, long from, ByteBuffer bytes) {
        int within = (int) (from - extent.offset());
        return reader.read(operation, path, extent, within, bytes, checksums)
                .thenRun(() -> held.add(from, bytes, null));
    }
}
