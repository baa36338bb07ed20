// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.spi.BufferPool;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.message.Movable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Copies one extent into a granted block: reads and verifies it, and writes it with the checksums
 * that its writer made. On the strand of its operation. At most one block of the buffer pool is
 * held meanwhile.
 */
public final class BlockCopy {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** What blocks are copied with. */
    public record Way(BlockIo io, ExtentReader reader, BufferPool pool) {}

    private final Way way;
    private final Operation operation;
    private final Movable.Owner owner;
    private final Extent extent;
    private final BlockReference target;
    private final CompletableFuture<CommittedExtent> result = new CompletableFuture<>();
    private BufferPool.@Nullable Lease lease;

    /**
     * A copy that has not begun.
     *
     * @param target granted, and at least as large as the extent is long
     */
    public BlockCopy(
            Way way,
            Operation operation,
            Movable.Owner owner,
            Extent extent,
            BlockReference target) {
        this.way = way;
        this.operation = operation;
        this.owner = owner;
        this.extent = extent;
        this.target = target;
    }

    /** What may take the place of the extent. */
    public CompletableFuture<CommittedExtent> start() {
        Outcomes.whenDone(
                BufferWait.acquire(operation, way.pool, extent.length()),
                (buffer, exhausted) -> {
                    if (exhausted != null) {
                        end(exhausted);
                    } else {
                        lease = buffer;
                        read(buffer.buffer().slice(0, extent.length()));
                    }
                });
        return result;
    }

    private void read(ByteBuffer bytes) {
        Outcomes.whenDone(
                way.reader.read(operation, owner.path(), extent, 0, bytes, owner.checksums()),
                (done, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else if (owner.checksums()) {
                        fetchChecksums(bytes);
                    } else {
                        write(bytes, new int[0]);
                    }
                });
    }

    /**
     * The copy gets the checksums that the writer of the bytes has made, and that they were just
     * compared with: if they change here, in memory, whoever reads the copy will notice.
     */
    private void fetchChecksums(ByteBuffer bytes) {
        int whole = extent.length() / CHUNK * CHUNK;
        if (whole == 0) {
            write(bytes, salted(new int[0]));
            return;
        }
        Outcomes.whenDone(
                way.reader.checksums(operation, owner.path(), extent, 0, whole),
                (known, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else {
                        write(bytes, salted(known));
                    }
                });
    }

    /** Checksums of the whole chunks, and of the one behind them, for the block of the copy. */
    private int[] salted(int[] whole) {
        boolean hasTail = extent.length() % CHUNK != 0;
        int[] all = Arrays.copyOf(whole, whole.length + (hasTail ? 1 : 0));
        if (hasTail) {
            all[whole.length] = extent.tailCrc();
        }
        for (int i = 0; i < all.length; i++) {
            all[i] = ChunkChecksum.salted(all[i], target.record() + i, target.generation());
        }
        return all;
    }

    private void write(ByteBuffer bytes, int[] checksums) {
        Outcomes.whenDone(
                way.io.write(operation, target, 0, bytes, checksums, () -> {}),
                (done, cause) -> end(cause));
    }

    private void end(@Nullable CrailException cause) {
        BufferPool.Lease held = lease;
        if (held != null) {
            held.close();
        }
        if (cause == null) {
            result.complete(new CommittedExtent(target, extent.length(), extent.tailCrc()));
        } else {
            result.completeExceptionally(cause);
        }
    }
}
