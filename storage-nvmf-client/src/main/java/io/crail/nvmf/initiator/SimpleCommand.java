// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.DataDirection;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An I/O command that is not cut into several. */
final class SimpleCommand extends RetriedCommand {
    private final String what;
    private final PlainCommand.Encoder encoder;
    private final IoCompletion completion;

    /**
     * A command that was not posted.
     *
     * @param data null if there is none
     * @param repeatable whether it may be executed twice
     */
    SimpleCommand(
            NvmeController controller,
            String what,
            int opcode,
            @Nullable ByteBuffer data,
            boolean repeatable,
            PlainCommand.Encoder encoder,
            IoCompletion completion) {
        super(
                controller,
                data == null ? DataDirection.NONE : DataDirection.of(opcode),
                data,
                repeatable,
                controller.newDeadline());
        this.what = what;
        this.encoder = encoder;
        this.completion = completion;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    protected void encode(ByteBuffer buffer, int at, int commandId) {
        encoder.encode(buffer, at, commandId);
    }

    @Override
    protected boolean needsAllData() {
        return false; // structures begin as zeros, and a short one ends in them
    }

    @Override
    void ended(@Nullable NvmeException cause) {
        completion.ended(cause);
    }
}
