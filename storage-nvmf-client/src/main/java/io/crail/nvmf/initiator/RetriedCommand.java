// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An I/O command that is posted again after a failure, within limits, if that cannot do harm:
 *
 * <ul>
 *   <li>it certainly was not executed: its connection ended before it was sent whole;
 *   <li>it was answered with a status that may pass, so the controller is done with it;
 *   <li>it may have been executed, and doing it twice, at any later time, is like doing it once:
 *       reads. A write is not like that: the first one might still reach the medium after later
 *       writes of others.
 * </ul>
 */
abstract class RetriedCommand extends Command {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final NvmeController controller;
    private final boolean repeatable;
    private final long deadline;
    private int attempts;

    /**
     * A command that was not posted.
     *
     * @param repeatable whether it may be executed twice
     * @param deadline after which it is not posted again, by the engine's clock
     */
    RetriedCommand(
            NvmeController controller,
            DataDirection direction,
            @Nullable ByteBuffer data,
            boolean repeatable,
            long deadline) {
        super(direction, data);
        this.controller = controller;
        this.repeatable = repeatable;
        this.deadline = deadline;
        expireAt(deadline);
    }

    /** It ended for good. */
    abstract void ended(@Nullable NvmeException cause);

    /** The result of a command that succeeded. */
    void succeeded(long result) {}

    final void post() {
        controller.submit(this);
    }

    final long deadline() {
        return deadline;
    }

    @Override
    protected final void completed(long result, int status) {
        if (Status.isSuccess(status)) {
            succeeded(result);
            ended(null);
        } else if (mayPass(status) && attempts < controller.retries() && !isOver()) {
            attempts++;
            controller.engine().schedule(FIRST_PAUSE_NANOS << Math.min(attempts, 6), this::post);
        } else {
            ended(errorOf(status));
        }
    }

    /**
     * Whether the same command may succeed later, which its controller says by not setting Do Not
     * Retry (NVMe Base 2.0, section 3.3.3.2). Linux's target leaves it away when it was short of
     * memory for a moment, for instance, with Internal Error. That a reservation keeps this host
     * out, or that data differ, is an answer though, which stands.
     */
    private static boolean mayPass(int status) {
        return !Status.isDoNotRetry(status)
                && !StatusCode.RESERVATION_CONFLICT.is(status)
                && !StatusCode.COMPARE_FAILURE.is(status);
    }

    private NvmeException errorOf(int status) {
        if (StatusCode.ABORT_REQUESTED.is(status)) {
            return new NvmeTimeoutException(
                    what() + " took too long and was aborted, " + (attempts + 1) + " times");
        }
        return new NvmeStatusException(what(), status, StatusCode.Scope.NVM);
    }

    private boolean isOver() {
        return controller.engine().nanoTime() - deadline >= 0;
    }

    @Override
    protected final void failed(NvmeException cause, boolean mayHaveRun) {
        if (mayHaveRun && !repeatable) {
            ended(
                    new NvmeOutcomeUnknownException(
                            what() + " was sent, but not answered: " + cause.getMessage(), cause));
            return;
        }
        boolean again =
                !(cause instanceof NvmeQueueFullException)
                        && !(cause instanceof NvmeTimeoutException)
                        && !isOver();
        if (again && mayHaveRun) {
            again = attempts++ < controller.retries();
        }
        if (again) {
            controller.submit(this);
        } else {
            ended(cause);
        }
    }
}
