// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Session;
import io.crail.client.spi.BufferPool;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves one extent to another block: grant, read and verify, write, swap. On the strand of its
 * operation. Whatever fails, the block granted in vain is given back; the extent is where it was.
 */
public final class BlockMove {
    private static final byte[] NO_TABLE = {};
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** What blocks are moved with. */
    public record Way(Session session, BlockIo io, ExtentReader reader, BufferPool pool) {}

    /**
     * Where to.
     *
     * @param excludedServers servers on which the copy must not lie
     * @param firstClass first storage class for it
     * @param lastClass last storage class for it
     */
    public record Target(int[] excludedServers, int firstClass, int lastClass) {
        /** To any other server. */
        public static Target elsewhere(int server) {
            return new Target(new int[] {server}, 0, Grant.Request.ANY_CLASS);
        }

        /** To a storage class, or one of those behind it. */
        public static Target classes(int first, int last) {
            return new Target(new int[0], first, last);
        }
    }

    private final Session session;
    private final BlockIo io;
    private final ExtentReader reader;
    private final BufferPool pool;
    private final Operation operation;
    private final Movable.Owner owner;
    private final Extent extent;
    private final Target to;
    private final int incarnation;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    private List<BlockReference> grants = List.of();
    private BufferPool.@Nullable Lease lease;

    public BlockMove(Way way, Operation operation, Movable.Owner owner, Extent extent, Target to) {
        this.session = way.session;
        this.io = way.io;
        this.reader = way.reader;
        this.pool = way.pool;
        this.operation = operation;
        this.owner = owner;
        this.extent = extent;
        this.to = to;
        this.incarnation = session.incarnation();
    }

    /** True: moved. False: the extent was removed, replaced or moved by somebody else meanwhile. */
    public CompletableFuture<Boolean> start() {
        Outcomes.whenDone(
                session.call(operation, grantRequest(), null, incarnation),
                (reply, cause) -> {
                    CrailException failure = cause;
                    if (failure == null) {
                        try {
                            granted(Grant.Reply.decode(reply.control()).grants());
                            return;
                        } catch (CrailException e) {
                            failure = e;
                        }
                    }
                    end(failure);
                });
        return result;
    }

    private Grant.Request grantRequest() {
        return new Grant.Request(
                owner.node(),
                0,
                NO_TABLE,
                extent.block().length(),
                true,
                to.excludedServers(),
                to.firstClass(),
                to.lastClass());
    }

    private void granted(List<BlockReference> blocks) throws BusyException {
        grants = blocks;
        if (blocks.isEmpty() || blocks.get(0).length() < extent.length()) {
            throw new BusyException(
                    owner.path()
                            + ": no single free block of "
                            + extent.block().length()
                            + " bytes where it should go; delete something or add a server");
        }
        Outcomes.whenDone(
                BufferWait.acquire(operation, pool, extent.length()),
                (buffer, exhausted) -> {
                    if (exhausted != null) {
                        end(exhausted);
                    } else {
                        lease = buffer;
                        read(buffer.buffer().slice(0, extent.length()));
                    }
                });
    }

    private void read(ByteBuffer bytes) {
        Outcomes.whenDone(
                reader.read(operation, owner.path(), extent, 0, bytes, owner.checksums()),
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
                reader.checksums(operation, owner.path(), extent, 0, whole),
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
        BlockReference target = grants.get(0);
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
        BlockReference target = grants.get(0);
        WriteChecksums salted = WriteChecksums.known(bytes, checksums);
        Outcomes.whenDone(
                io.write(operation, target, 0, bytes, salted, () -> {}),
                (done, cause) -> {
                    if (cause != null) {
                        end(cause);
                    } else {
                        swap(target);
                    }
                });
    }

    private void swap(BlockReference target) {
        Move.Request move =
                new Move.Request(
                        owner.node(),
                        extent.offset(),
                        extent.block().id(),
                        extent.block().generation(),
                        new CommittedExtent(target, extent.length(), extent.tailCrc()));
        Outcomes.whenDone(
                session.call(operation, move, null, incarnation), (reply, cause) -> end(cause));
    }

    private void end(@Nullable CrailException cause) {
        BufferPool.Lease held = lease;
        if (held != null) {
            held.close();
        }
        // A block that was committed is no longer granted: giving it back does nothing.
        int spare = cause == null ? 1 : 0;
        session.returnBlocks(
                grants.stream().skip(spare).map(BlockReference::id).toList(), incarnation);
        if (cause == null) {
            result.complete(true);
        } else if (cause.code() == ErrorCode.STALE_REFERENCE
                || cause.code() == ErrorCode.NO_SUCH_NODE) {
            result.complete(false);
        } else {
            result.completeExceptionally(cause);
        }
    }
}
