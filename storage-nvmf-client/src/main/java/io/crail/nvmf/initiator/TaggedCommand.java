// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.IoOpcode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One Read or Write with words of its caller's in the submission entry, whose buffer can be taken
 * back. Made by {@link NvmeNamespace#command}; begun once.
 */
public final class TaggedCommand extends RetriedCommand {
    private final NamespaceInfo namespace;
    private final int opcode;
    private final BlockRange range;
    private final EntryWords words;
    private final SharedExtras extras;
    private final IoCompletion completion;

    TaggedCommand(
            NvmeController controller,
            NamespaceInfo namespace,
            int opcode,
            BlockRange range,
            ByteBuffer data,
            EntryWords words,
            SharedExtras extras,
            IoCompletion completion) {
        super(
                controller,
                DataDirection.of(opcode),
                data,
                opcode == IoOpcode.READ,
                controller.newDeadline());
        this.namespace = namespace;
        this.opcode = opcode;
        this.range = range;
        this.words = words;
        this.extras = extras;
        this.completion = completion;
    }

    /** Posts it. Never blocks. */
    public void start() {
        post();
    }

    /**
     * Cuts it off from its buffer: when this returns, nothing reads from it or writes to it any
     * more. The command goes on with memory of its own, and its end is told as ever. Waits for
     * whoever polls at the moment, microseconds as a rule.
     */
    @Override
    public void detach() {
        super.detach();
    }

    @Override
    public String what() {
        return (opcode == IoOpcode.READ ? "Read" : "Write")
                + " of "
                + range.count()
                + " blocks from "
                + range.first()
                + " of namespace "
                + namespace.id();
    }

    @Override
    protected boolean mayShareMemory() {
        return namespace.mayShareMemory(range.first());
    }

    @Override
    protected SharedExtras extras() {
        return extras;
    }

    @Override
    protected void encode(ByteBuffer buffer, int at, int commandId) {
        BlockCommand.encode(
                buffer, at, opcode, commandId, namespace.id(), range.first(), (int) range.count());
        words.add(buffer, at);
    }

    @Override
    void ended(@Nullable NvmeException cause) {
        completion.ended(cause);
    }
}
