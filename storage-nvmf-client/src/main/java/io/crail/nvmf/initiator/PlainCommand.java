// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An admin or fabrics command, posted once, without retries; its future brings the result. */
final class PlainCommand extends Command {
    /** Writes a submission entry, but for its SGL descriptor. */
    @FunctionalInterface
    interface Encoder {
        void encode(ByteBuffer buffer, int at, int commandId);
    }

    private final String what;
    private final StatusCode.Scope scope;
    private final Encoder encoder;
    private final NvmeFuture<Long> future;

    PlainCommand(
            String what,
            StatusCode.Scope scope,
            DataDirection direction,
            @Nullable ByteBuffer data,
            Encoder encoder,
            NvmeFuture<Long> future) {
        super(direction, data);
        this.what = what;
        this.scope = scope;
        this.encoder = encoder;
        this.future = future;
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
    protected boolean isAlwaysInCapsule() {
        return scope == StatusCode.Scope.FABRICS;
    }

    @Override
    protected void completed(long result, int status) {
        if (Status.isSuccess(status)) {
            future.complete(result);
        } else {
            future.completeExceptionally(new NvmeStatusException(what, status, scope));
        }
    }

    /** Whether it was executed does not matter: its association is over. */
    @Override
    protected void failed(NvmeException cause, boolean mayHaveRun) {
        future.completeExceptionally(
                cause instanceof NvmeConnectionLostException
                        ? new NvmeConnectionLostException(
                                what + " was not answered: " + cause.getMessage(), cause)
                        : cause);
    }
}
