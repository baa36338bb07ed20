// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.IoOpcode;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call on a range of blocks, cut into commands that are no larger than the controller takes. Only
 * a few of them are under way at a time, so that a large call leaves places to others. It ends when
 * all that were sent have ended: then nothing touches its buffer. After a failure no further
 * commands are sent.
 *
 * <p>Thread-safe: ends of commands may come in several threads.
 */
final class BlockOperation {
    private static final int MAX_UNDER_WAY = 16;

    private final NvmeController controller;
    private final NamespaceInfo namespace;
    private final int opcode;
    private final BlockRange range;
    private final @Nullable ByteBuffer data;
    private final boolean deallocate;
    private final int blocksPerCommand;
    private final long deadline;
    private final IoCompletion completion;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicReference<@Nullable NvmeException> failure = new AtomicReference<>();
    private final int commands;

    /**
     * A call that was not begun.
     *
     * @param opcode READ, WRITE, COMPARE or WRITE_ZEROES of {@link IoOpcode}
     * @param data for the range from its position; null for WRITE_ZEROES
     * @param deallocate of WRITE_ZEROES
     */
    BlockOperation(
            NvmeController controller,
            NamespaceInfo namespace,
            int opcode,
            BlockRange range,
            @Nullable ByteBuffer data,
            boolean deallocate,
            IoCompletion completion) {
        this.controller = controller;
        this.namespace = namespace;
        this.opcode = opcode;
        this.range = range;
        this.data = data;
        this.deallocate = deallocate;
        this.completion = completion;
        long byLimit =
                data == null
                        ? BlockCommand.MAX_BLOCKS
                        : Math.max(1, controller.maxTransferBytes() >>> namespace.blockShift());
        this.blocksPerCommand = (int) Math.min(BlockCommand.MAX_BLOCKS, byLimit);
        this.commands = Math.toIntExact((range.count() + blocksPerCommand - 1) / blocksPerCommand);
        this.deadline = controller.newDeadline();
    }

    void start() {
        int first = Math.min(commands, MAX_UNDER_WAY);
        underWay.set(first);
        next.set(first);
        if (first == 1) {
            post(0);
        } else {
            controller.engine().together(() -> postFirst(first));
        }
    }

    private void postFirst(int count) {
        for (int i = 0; i < count; i++) {
            post(i);
        }
    }

    private void post(int index) {
        long offset = (long) index * blocksPerCommand;
        int blocks = (int) Math.min(blocksPerCommand, range.count() - offset);
        new Part(range.first() + offset, blocks, slice(offset, blocks)).post();
    }

    private @Nullable ByteBuffer slice(long offset, int blocks) {
        if (data == null) {
            return null;
        }
        int from = data.position() + (int) (offset << namespace.blockShift());
        return data.duplicate().limit(from + (blocks << namespace.blockShift())).position(from);
    }

    private void partEnded(@Nullable NvmeException cause) {
        if (cause != null) {
            failure.compareAndSet(null, cause);
        }
        if (failure.get() == null) {
            int index = next.getAndIncrement();
            if (index < commands) {
                post(index);
                return;
            }
        }
        if (underWay.decrementAndGet() == 0) {
            completion.ended(failure.get());
        }
    }

    private DataDirection directionOfData() {
        return data == null ? DataDirection.NONE : DataDirection.of(opcode);
    }

    /** One command of the call. */
    private final class Part extends RetriedCommand {
        private final long first;
        private final int blocks;

        Part(long first, int blocks, @Nullable ByteBuffer piece) {
            // Reads and compares may be repeated even if the first one may have been executed.
            super(
                    controller,
                    directionOfData(),
                    piece,
                    opcode == IoOpcode.READ || opcode == IoOpcode.COMPARE,
                    deadline);
            this.first = first;
            this.blocks = blocks;
        }

        @Override
        public String what() {
            return name()
                    + " of "
                    + blocks
                    + " blocks from "
                    + first
                    + " of namespace "
                    + namespace.id();
        }

        private String name() {
            return switch (opcode) {
                case IoOpcode.READ -> "Read";
                case IoOpcode.WRITE -> "Write";
                case IoOpcode.COMPARE -> "Compare";
                default -> "Write Zeroes";
            };
        }

        @Override
        protected boolean mayShareMemory() {
            return (opcode == IoOpcode.READ || opcode == IoOpcode.WRITE)
                    && namespace.mayShareMemory(first);
        }

        @Override
        protected void encode(ByteBuffer buffer, int at, int commandId) {
            BlockCommand.encode(buffer, at, opcode, commandId, namespace.id(), first, blocks);
            if (deallocate) {
                BlockCommand.setDeallocate(buffer, at);
            }
        }

        @Override
        void ended(@Nullable NvmeException cause) {
            partEnded(cause);
        }
    }
}
