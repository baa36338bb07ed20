// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.DataPath;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes between a direct buffer and a block, on behalf of an operation. Futures complete on
 * the operation's strand; after a cancel of the operation the buffer is not touched any more. What
 * becomes of servers that cannot be reached: {@link RepeatedTransfer}.
 */
public final class BlockIo {
    private final DataPaths paths;

    public BlockIo(DataPaths paths) {
        this.paths = paths;
    }

    /**
     * What came with the bytes of a read.
     *
     * @param stored checksums of the chunks, if asked for
     * @param seen what {@link ReadCheck#copy} took of them on the way; null: nothing
     * @param loan where the bytes are; null: in the buffer
     */
    record Arrived(int[] stored, int @Nullable [] seen, @Nullable BlockLoan loan) {}

    /** Fills the target from the block; yields the stored checksums, if asked for. */
    CompletableFuture<Arrived> read(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums) {
        return read(operation, block, offset, target, checksums, false);
    }

    /** As {@link #read}, unless the path lends the bytes: then the target is as it was. */
    CompletableFuture<Arrived> readOrLend(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums) {
        return read(operation, block, offset, target, checksums, true);
    }

    private CompletableFuture<Arrived> read(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer target,
            boolean checksums,
            boolean takesLoan) {
        return new RepeatedTransfer<Arrived>(
                        paths,
                        operation,
                        block,
                        posted ->
                                new PostedTransfer.Reading(
                                        posted, block, offset, target, checksums, takesLoan),
                        () -> {})
                .start();
    }

    /**
     * Writes in the calling thread, if that is a matter of copying memory that is at hand.
     *
     * @return false if it was not done, for whatever reason: {@link #write} does it, or finds out
     *     what is wrong
     */
    public boolean writeNow(
            Operation operation, BlockReference block, int offset, WriteChecksums bytes) {
        DataPaths.Route route = routeNow(operation, block);
        if (route == null) {
            return false;
        }
        DataPath path = route.path();
        boolean done = operation.moveUnlessCancelled(() -> path.writeNow(block, offset, bytes));
        if (done) {
            operation.engine().counters().written(route.moved(), bytes.length());
        }
        return done;
    }

    /** Whether {@link #writeNow} can be expected to write to this block. */
    public boolean writesNow(Operation operation, BlockReference block) {
        return routeNow(operation, block) != null;
    }

    /**
     * Borrows memory of the block in the calling thread, without waiting.
     *
     * @return null if it was not done, for whatever reason: {@link #borrow} or {@link #read} does
     *     it, or finds out what is wrong
     */
    @Nullable BlockLoan borrowNow(BlockReference block, int offset, int length, boolean checksums) {
        DataPaths.Route route = paths.routeNow(block);
        BlockLoan loan =
                route == null ? null : route.path().lendNow(block, offset, length, checksums);
        if (route != null && loan != null) {
            route.moved().lent.add(length);
        }
        return loan;
    }

    private DataPaths.@Nullable Route routeNow(Operation operation, BlockReference block) {
        return operation.remainingNanos() > 0 ? paths.routeNow(block) : null;
    }

    /** The stored checksums of whole chunks, without their bytes. */
    CompletableFuture<int[]> checksums(
            Operation operation, BlockReference block, int offset, int length) {
        return new RepeatedTransfer<int[]>(
                        paths,
                        operation,
                        block,
                        posted -> new PostedTransfer.Summing(posted, block, offset, length),
                        () -> {})
                .start();
    }

    /**
     * Writes the source into the block, to which nothing else will be written, with salted
     * checksums of the chunks it touches.
     *
     * @param awaited run on the strand when the server turns out to be away, though it is expected
     *     back; the write goes on. Who can write elsewhere cancels it
     */
    public CompletableFuture<int[]> write(
            Operation operation,
            BlockReference block,
            int offset,
            ByteBuffer source,
            int[] checksums,
            Runnable awaited) {
        WriteChecksums known = WriteChecksums.known(source, checksums);
        return write(operation, block, BlockUse.fresh(), offset, source, known, awaited);
    }

    /**
     * Writes the source into the block, with checksums that are perhaps to be made, of the source.
     *
     * @param use of the block, by all who write to it
     * @param awaited as above
     */
    public CompletableFuture<int[]> write(
            Operation operation,
            BlockReference block,
            BlockUse use,
            int offset,
            ByteBuffer source,
            WriteChecksums checksums,
            Runnable awaited) {
        return new RepeatedTransfer<int[]>(
                        paths,
                        operation,
                        block,
                        posted ->
                                new PostedTransfer.Writing(
                                        posted, block, offset, source, checksums, use.begin()),
                        awaited)
                .start();
    }

    /** Borrows memory of the block; empty if its server's memory cannot be reached from here. */
    CompletableFuture<Optional<BlockLoan>> borrow(
            Operation operation, BlockReference block, int offset, int length, boolean checksums) {
        return new RepeatedTransfer<Optional<BlockLoan>>(
                        paths,
                        operation,
                        block,
                        posted ->
                                new PostedTransfer.Borrowing(
                                        posted, block, offset, length, checksums),
                        () -> {})
                .unlessLent(Optional.empty())
                .start();
    }

    /**
     * Whether bytes move to and from a server by copying memory: then a write costs its caller no
     * more than a copy of the bytes would. False if nothing has been moved to or from it yet.
     */
    public boolean copiesMemory(int server) {
        return paths.lends(server);
    }

    /** The servers from which nothing can be had now, as the namenode knows it. */
    public CompletableFuture<Set<Integer>> serversAway(Operation operation) {
        return paths.serversAway(operation);
    }
}
