// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BufferPool;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of one extent and verifies it before the future completes.
 *
 * <p>With checksums the range is widened to chunks. What is wanted goes straight into a direct
 * target as far as whole chunks permit; the ragged ends of a large range, and everything for a heap
 * target, take the way through a pooled buffer. Only verified bytes are copied from there; bytes
 * that went straight into the target are void if the read fails.
 */
public final class ExtentReader {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** From this size on, ragged ends are read apart instead of copying the whole. */
    private static final int WORTH_SPLITTING = 128 << 10;

    private final BlockIo blocks;
    private final BufferPool pool;

    public ExtentReader(BlockIo blocks, BufferPool pool) {
        this.blocks = blocks;
        this.pool = pool;
    }

    /**
     * Fills the target.
     *
     * @param path what is read, for messages
     * @param from first byte wanted, within the extent
     * @param target heap or direct; filled from position to limit, which stay where they are
     * @param checksums whether the node keeps checksums
     */
    public CompletableFuture<Void> read(
            Operation operation,
            String path,
            Extent extent,
            int from,
            ByteBuffer target,
            boolean checksums) {
        if (isLost(extent)) {
            return CompletableFuture.failedFuture(lost(path, extent));
        }
        int to = from + target.remaining();
        assert to <= extent.length();
        int start = checksums ? from & -CHUNK : from;
        int end = checksums ? endOfChunks(extent, to) : to;
        if (target.isDirect() && start == from && end == to) {
            return readChunks(operation, path, extent, start, target, checksums, false);
        }
        if (target.isDirect() && to - from >= WORTH_SPLITTING) {
            return split(operation, path, extent, from, target);
        }
        return bounce(operation, path, extent, from, target, new int[] {start, end}, checksums);
    }

    /** Whether its bytes are lost with their server: whoever asks for them is told so. */
    public static boolean isLost(Extent extent) {
        return (extent.block().rights() & BlockReference.LOST) != 0;
    }

    /** Bytes in place; they belong to the loan, which belongs to whoever asked. */
    public record Borrowed(ByteBuffer bytes, BlockLoan loan) {}

    /**
     * Borrows a range instead of copying it; empty if the block cannot be reached as memory.
     *
     * @param path what is read, for messages
     * @param from first byte wanted, within the extent
     * @param checksums whether to verify the bytes
     */
    public CompletableFuture<Optional<Borrowed>> borrow(
            Operation operation,
            String path,
            Extent extent,
            int from,
            int length,
            boolean checksums) {
        if (isLost(extent)) {
            return CompletableFuture.failedFuture(lost(path, extent));
        }
        int start = checksums ? from & -CHUNK : from;
        int to = from + length;
        int end = checksums ? endOfChunks(extent, to) : to;
        CompletableFuture<Optional<Borrowed>> result = new CompletableFuture<>();
        Outcomes.whenDone(
                blocks.borrow(operation, extent.block(), start, end - start, checksums),
                (found, cause) -> {
                    if (cause != null) {
                        result.completeExceptionally(named(path, extent, cause));
                    } else if (found.isEmpty()) {
                        result.complete(Optional.empty());
                    } else {
                        BlockLoan loan = found.get();
                        Counters counters = operation.engine().counters();
                        int bad = checksums ? firstBad(counters, extent, start, loan) : -1;
                        if (bad < 0) {
                            ByteBuffer bytes = loan.data().slice(from - start, length);
                            result.complete(Optional.of(new Borrowed(bytes, loan)));
                        } else {
                            loan.close();
                            result.completeExceptionally(
                                    corrupt(path, extent, bad, loan.storedChecksums()));
                        }
                    }
                });
        return result;
    }

    /**
     * Bytes to be looked at.
     *
     * @param loan what they belong to; null: they are in the buffer that was given
     */
    public record Seen(ByteBuffer bytes, @Nullable BlockLoan loan) {}

    /**
     * Reads a range, and leaves it where the path has it if that lends it; verified in any case.
     *
     * @param path what is read, for messages
     * @param from first byte wanted, within the extent
     * @param spare filled from position to limit, which stay where they are, with what is not lent:
     *     all or nothing. Of a range that is not made of whole chunks nothing is, if there are
     *     checksums
     */
    public CompletableFuture<Seen> readOrLend(
            Operation operation,
            String path,
            Extent extent,
            int from,
            ByteBuffer spare,
            boolean checksums) {
        int to = from + spare.remaining();
        boolean ragged = checksums && (from % CHUNK != 0 || endOfChunks(extent, to) != to);
        if (isLost(extent) || !spare.isDirect() || ragged) {
            return read(operation, path, extent, from, spare, checksums)
                    .thenApply(done -> new Seen(spare, null));
        }
        CompletableFuture<Seen> result = new CompletableFuture<>();
        Outcomes.whenDone(
                blocks.readOrLend(operation, extent.block(), from, spare, checksums),
                (arrived, cause) -> {
                    if (cause != null) {
                        result.completeExceptionally(named(path, extent, cause));
                        return;
                    }
                    BlockLoan loan = arrived.loan();
                    ByteBuffer bytes = loan == null ? spare : loan.data();
                    int bad =
                            checksums
                                    ? ReadCheck.firstBad(
                                            extent, from, bytes, arrived.stored(), arrived.seen())
                                    : -1;
                    if (bad < 0) {
                        result.complete(new Seen(bytes, loan));
                        return;
                    }
                    if (loan != null) {
                        loan.close();
                    }
                    // A read finds out what is wrong.
                    operation.engine().counters().checksumFailures.increment();
                    Outcomes.pass(
                            read(operation, path, extent, from, spare, true)
                                    .thenApply(done -> new Seen(spare, null)),
                            result);
                });
        return result;
    }

    /**
     * Borrows a range in the calling thread, without waiting.
     *
     * @param from first byte wanted, within the extent
     * @param checksums whether to verify the bytes, which looks at all of them once
     * @return null if it was not done, for whatever reason, damage among them: {@link #read} does
     *     it, or finds out what is wrong
     */
    public @Nullable Borrowed borrowNow(
            Counters counters, Extent extent, int from, int length, boolean checksums) {
        if (isLost(extent)) {
            return null;
        }
        int start = checksums ? from & -CHUNK : from;
        int end = checksums ? endOfChunks(extent, from + length) : from + length;
        BlockLoan loan = blocks.borrowNow(extent.block(), start, end - start, checksums);
        if (loan == null) {
            return null;
        }
        if (checksums && firstBad(counters, extent, start, loan) >= 0) {
            loan.close();
            return null;
        }
        return new Borrowed(loan.data().slice(from - start, length), loan);
    }

    private static int endOfChunks(Extent extent, int to) {
        return Math.min(extent.length(), (to + CHUNK - 1) & -CHUNK);
    }

    /**
     * The checksums of whole chunks as their writer stored them, without salt. Nobody looks at the
     * bytes.
     *
     * @param from first byte, a multiple of the chunk size
     * @param length bytes, a multiple of the chunk size
     */
    public CompletableFuture<int[]> checksums(
            Operation operation, String path, Extent extent, int from, int length) {
        assert from % CHUNK == 0 && length % CHUNK == 0 && from + length <= extent.length();
        if (isLost(extent)) {
            return CompletableFuture.failedFuture(lost(path, extent));
        }
        CompletableFuture<int[]> result = new CompletableFuture<>();
        Outcomes.whenDone(
                blocks.checksums(operation, extent.block(), from, length),
                (stored, cause) -> {
                    if (cause != null) {
                        result.completeExceptionally(named(path, extent, cause));
                    } else if (stored.length != length / CHUNK) {
                        result.completeExceptionally(
                                new ProtocolException(
                                        path
                                                + ": storage server "
                                                + extent.block().server()
                                                + " sent "
                                                + stored.length
                                                + " checksums of "
                                                + length / CHUNK
                                                + " chunks"));
                    } else {
                        for (int i = 0; i < stored.length; i++) {
                            stored[i] =
                                    ChunkChecksum.salted(
                                            stored[i],
                                            extent.block().record() + from / CHUNK + i,
                                            extent.block().generation());
                        }
                        result.complete(stored);
                    }
                });
        return result;
    }

    /** Looks twice, as a read does: a writer may just be storing what lies behind the range. */
    private static int firstBad(Counters counters, Extent extent, int start, BlockLoan loan) {
        ByteBuffer data = loan.data();
        int bad = ReadCheck.firstBad(extent, start, data, loan.storedChecksums(), null);
        if (bad >= 0) {
            counters.checksumFailures.increment();
            bad = ReadCheck.firstBad(extent, start, data, loan.storedChecksums(), null);
        }
        return bad;
    }

    /** Ragged ends through the pool, the chunks in the middle straight into the target. */
    private CompletableFuture<Void> split(
            Operation operation, String path, Extent extent, int from, ByteBuffer target) {
        int to = from + target.remaining();
        int middle = (from + CHUNK - 1) & -CHUNK;
        int tail = to == extent.length() ? to : to & -CHUNK;
        int base = target.position() - from;
        CompletableFuture<?>[] parts = {
            part(operation, path, extent, from, middle, base, target),
            part(operation, path, extent, middle, tail, base, target),
            part(operation, path, extent, tail, to, base, target)
        };
        return CompletableFuture.allOf(parts);
    }

    private CompletableFuture<Void> part(
            Operation operation,
            String path,
            Extent extent,
            int from,
            int to,
            int base,
            ByteBuffer target) {
        if (from == to) {
            return CompletableFuture.completedFuture(null);
        }
        return read(operation, path, extent, from, target.slice(base + from, to - from), true);
    }

    private CompletableFuture<Void> bounce(
            Operation operation,
            String path,
            Extent extent,
            int from,
            ByteBuffer target,
            int[] widened,
            boolean checksums) {
        int length = widened[1] - widened[0];
        CompletableFuture<Void> result = new CompletableFuture<>();
        Outcomes.whenDone(
                BufferWait.acquire(operation, pool, length),
                (lease, exhausted) -> {
                    if (exhausted != null) {
                        result.completeExceptionally(exhausted);
                        return;
                    }
                    ByteBuffer buffer = lease.buffer().slice(0, length);
                    Outcomes.whenDone(
                            readChunks(
                                    operation, path, extent, widened[0], buffer, checksums, false),
                            (done, cause) -> {
                                // After a cancel the target is no longer ours, even if the bytes
                                // arrived before.
                                CrailException failure =
                                        cause != null ? cause : operation.cancelled();
                                if (failure == null) {
                                    target.duplicate()
                                            .put(
                                                    buffer.slice(
                                                            from - widened[0], target.remaining()));
                                }
                                lease.close();
                                if (failure == null) {
                                    result.complete(null);
                                } else {
                                    result.completeExceptionally(failure);
                                }
                            });
                });
        return result;
    }

    private CompletableFuture<Void> readChunks(
            Operation operation,
            String path,
            Extent extent,
            int start,
            ByteBuffer target,
            boolean checksums,
            boolean again) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        Outcomes.whenDone(
                blocks.read(operation, extent.block(), start, target, checksums),
                (arrived, cause) -> {
                    int bad = -1;
                    if (cause == null && checksums) {
                        bad =
                                ReadCheck.firstBad(
                                        extent, start, target, arrived.stored(), arrived.seen());
                    }
                    if (cause != null) {
                        result.completeExceptionally(named(path, extent, cause));
                    } else if (bad < 0) {
                        result.complete(null);
                    } else {
                        operation.engine().counters().checksumFailures.increment();
                        int[] stored = arrived.stored();
                        if (again || stored.length != ReadCheck.chunks(target.remaining())) {
                            result.completeExceptionally(corrupt(path, extent, bad, stored));
                        } else {
                            Outcomes.pass(
                                    readChunks(operation, path, extent, start, target, true, true),
                                    result);
                        }
                    }
                });
        return result;
    }

    private static CrailException named(String path, Extent extent, CrailException cause) {
        return CrailException.of(
                cause.code(),
                path + " at offset " + extent.offset() + ": " + cause.getMessage(),
                cause);
    }

    private static ServerLostException lost(String path, Extent extent) {
        return new ServerLostException(
                path
                        + " at offset "
                        + extent.offset()
                        + ": the data is lost with storage server "
                        + extent.block().server()
                        + ", which is dead or came back empty. Write it again, or wait for the"
                        + " server to return");
    }

    private static CrailException corrupt(String path, Extent extent, int chunk, int[] stored) {
        long at = extent.offset() + (long) chunk * CHUNK;
        if (stored.length == 0) {
            return new ProtocolException(
                    path + ": storage server " + extent.block().server() + " sent no checksums");
        }
        return new CorruptDataException(
                path
                        + " at offset "
                        + at
                        + ": the checksum does not match, twice; "
                        + extent.block()
                        + " of storage server "
                        + extent.block().server()
                        + ", chunk "
                        + chunk
                        + ". The data is damaged: write it again");
    }
}
