// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeAlignmentException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeRangeException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DatasetCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.identify.ControllerData;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A namespace: numbered logical blocks of {@link #blockSize} bytes. Only whole blocks are read and
 * written: who needs less pads, in the layer above.
 *
 * <p>A call takes the bytes between position and limit of a direct buffer, leaves both as they are,
 * and owns these bytes until its outcome is there, whatever it is. Calls that overlap are executed
 * in any order, so wait for one before the next. Larger calls than the controller takes are cut; a
 * call that fails may have been executed in part.
 *
 * <p>Thread-safe. Nothing blocks.
 */
public final class NvmeNamespace {
    private final NvmeController controller;
    private final NamespaceInfo info;

    NvmeNamespace(NvmeController controller, NamespaceInfo info) {
        this.controller = controller;
        this.info = info;
    }

    public NamespaceInfo info() {
        return info;
    }

    /** Bytes of a logical block. */
    public int blockSize() {
        return info.blockSize();
    }

    /** Number of logical blocks. */
    public long blockCount() {
        return info.blocks();
    }

    /** Reads blocks from the given one until the buffer is full. */
    public NvmeFuture<Void> read(long firstBlock, ByteBuffer destination) {
        NvmeFuture<Void> future = newFuture();
        read(firstBlock, destination, ending(future));
        return future;
    }

    /** The same, for those who have their own way to wait. */
    public void read(long firstBlock, ByteBuffer destination, IoCompletion completion) {
        transfer(IoOpcode.READ, firstBlock, destination, completion);
    }

    /** Writes the buffer's bytes. Lasting only after {@link #flush} if there is a write cache. */
    public NvmeFuture<Void> write(long firstBlock, ByteBuffer source) {
        NvmeFuture<Void> future = newFuture();
        write(firstBlock, source, ending(future));
        return future;
    }

    /** The same, for those who have their own way to wait. */
    public void write(long firstBlock, ByteBuffer source, IoCompletion completion) {
        transfer(IoOpcode.WRITE, firstBlock, source, completion);
    }

    /**
     * Compares the blocks with the buffer's bytes; if they differ, the status of the failure is
     * {@code COMPARE_FAILURE}.
     */
    public NvmeFuture<Void> compare(long firstBlock, ByteBuffer expected) {
        NvmeFuture<Void> future = newFuture();
        if (isSupported(ControllerData.SUPPORTS_COMPARE, "Compare", future)) {
            transfer(IoOpcode.COMPARE, firstBlock, expected, ending(future));
        }
        return future;
    }

    private void transfer(int opcode, long firstBlock, ByteBuffer data, IoCompletion completion) {
        if (!data.isDirect()) {
            throw new IllegalArgumentException("the buffer must be direct");
        }
        int bytes = data.remaining();
        if (bytes == 0 || bytes % blockSize() != 0) {
            fail(
                    completion,
                    new NvmeAlignmentException(
                            bytes + " bytes are not whole blocks of " + blockSize() + " bytes"));
            return;
        }
        long blocks = bytes / blockSize();
        NvmeException outside = outside(firstBlock, blocks);
        if (outside != null) {
            fail(completion, outside);
            return;
        }
        BlockRange range = new BlockRange(firstBlock, blocks);
        new BlockOperation(controller, info, opcode, range, data, false, completion).start();
    }

    /** The same without extras. */
    public TaggedCommand command(
            int opcode,
            long firstBlock,
            ByteBuffer data,
            EntryWords words,
            IoCompletion completion) {
        return command(opcode, firstBlock, data, words, SharedExtras.NONE, completion);
    }

    /**
     * A Read or Write that is one command, not begun.
     *
     * @param opcode READ or WRITE of {@link IoOpcode}
     * @param data whole blocks within the namespace, no more than the controller takes at once
     * @param words adds to the submission entry
     * @param extras for data in shared memory
     */
    public TaggedCommand command(
            int opcode,
            long firstBlock,
            ByteBuffer data,
            EntryWords words,
            SharedExtras extras,
            IoCompletion completion) {
        int bytes = data.remaining();
        if (bytes == 0
                || bytes % blockSize() != 0
                || bytes > controller.maxTransferBytes()
                || outside(firstBlock, bytes / blockSize()) != null) {
            throw new IllegalArgumentException(
                    bytes
                            + " bytes from block "
                            + firstBlock
                            + " are no command of "
                            + controller.address());
        }
        BlockRange range = new BlockRange(firstBlock, bytes / blockSize());
        return new TaggedCommand(controller, info, opcode, range, data, words, extras, completion);
    }

    /** Whether a command of this thread would take a rider along, as far as can be told now. */
    public boolean takesRiders(long firstBlock, int bytes) {
        return info.mayShareMemory(firstBlock) && controller.takesRiders(bytes);
    }

    private @Nullable NvmeException outside(long first, long count) {
        boolean inside = first >= 0 && count <= info.blocks() && first <= info.blocks() - count;
        return inside
                ? null
                : new NvmeRangeException(
                        count
                                + " blocks from "
                                + first
                                + " are not within the "
                                + info.blocks()
                                + " of namespace "
                                + info.id());
    }

    /** Makes what was written before lasting. */
    public NvmeFuture<Void> flush() {
        NvmeFuture<Void> future = newFuture();
        new SimpleCommand(
                        controller,
                        "Flush of namespace " + info.id(),
                        IoOpcode.FLUSH,
                        null,
                        true,
                        (buffer, at, id) -> BlockCommand.encodeFlush(buffer, at, id, info.id()),
                        ending(future))
                .post();
        return future;
    }

    /**
     * Tells the controller that the blocks hold nothing any more (Dataset Management). It may keep
     * them all the same; what they read as afterwards says {@link NamespaceInfo#readsZeros}.
     *
     * @param ranges at most 256
     */
    public NvmeFuture<Void> deallocate(List<BlockRange> ranges) {
        NvmeFuture<Void> future = newFuture();
        if (ranges.isEmpty() || ranges.size() > DatasetCommand.MAX_RANGES) {
            throw new IllegalArgumentException(ranges.size() + " ranges; possible: 1 to 256");
        }
        if (!isSupported(
                ControllerData.SUPPORTS_DATASET_MANAGEMENT, "Dataset Management", future)) {
            return future;
        }
        ByteBuffer data = ByteBuffer.allocateDirect(ranges.size() * DatasetCommand.RANGE_SIZE);
        for (int i = 0; i < ranges.size(); i++) {
            BlockRange range = ranges.get(i);
            NvmeException outside = outside(range.first(), range.count());
            if (outside == null && range.count() > 0xFFFF_FFFFL) {
                outside = new NvmeRangeException(range.count() + " blocks do not fit one range");
            }
            if (outside != null) {
                future.completeExceptionally(outside);
                return future;
            }
            DatasetCommand.encodeRange(
                    data, i * DatasetCommand.RANGE_SIZE, range.first(), (int) range.count());
        }
        int count = ranges.size();
        new SimpleCommand(
                        controller,
                        "Dataset Management of " + count + " ranges of namespace " + info.id(),
                        IoOpcode.DATASET_MANAGEMENT,
                        data,
                        false,
                        (buffer, at, id) ->
                                DatasetCommand.encodeDeallocate(buffer, at, id, info.id(), count),
                        ending(future))
                .post();
        return future;
    }

    /**
     * Makes blocks read as zeros.
     *
     * @param deallocate whether the controller may free the medium behind them
     */
    public NvmeFuture<Void> writeZeroes(BlockRange range, boolean deallocate) {
        NvmeFuture<Void> future = newFuture();
        NvmeException outside = outside(range.first(), range.count());
        if (outside != null) {
            future.completeExceptionally(outside);
        } else if (isSupported(ControllerData.SUPPORTS_WRITE_ZEROES, "Write Zeroes", future)) {
            new BlockOperation(
                            controller,
                            info,
                            IoOpcode.WRITE_ZEROES,
                            range,
                            null,
                            deallocate,
                            ending(future))
                    .start();
        }
        return future;
    }

    /** Reservations of this namespace: who may write, or read, besides this host. */
    public NvmeReservations reservations() {
        return new NvmeReservations(controller, info);
    }

    private boolean isSupported(int command, String name, NvmeFuture<Void> future) {
        if (controller.info().supports(command)) {
            return true;
        }
        future.completeExceptionally(
                new NvmeUnsupportedException(controller.address() + " does not support " + name));
        return false;
    }

    private NvmeFuture<Void> newFuture() {
        return new NvmeFuture<>(controller.engine());
    }

    private void fail(IoCompletion completion, NvmeException cause) {
        controller.engine().complete(() -> completion.ended(cause));
        controller.engine().wakeup();
    }

    static IoCompletion ending(NvmeFuture<Void> future) {
        return failure -> {
            if (failure == null) {
                future.complete(null);
            } else {
                future.completeExceptionally(failure);
            }
        };
    }
}
