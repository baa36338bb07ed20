// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.Controller;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Puts a command that failed into the error log of its controller, has its completion say so, and
 * tells the host of an event if the medium, or this target, is to blame. Statuses that are an
 * answer rather than an error are left out: of comparisons, reservations, aborts, and of blocks
 * that are somebody else's by now. Stateless; for the event loop of the command's queue, before it
 * is answered.
 */
public final class FailedCommands {
    private static final List<StatusCode> ANSWERS =
            List.of(
                    StatusCode.ABORT_REQUESTED,
                    StatusCode.ABORTED_QUEUE_DELETED,
                    StatusCode.COMPARE_FAILURE,
                    StatusCode.RESERVATION_CONFLICT,
                    StatusCode.REFERENCE_TAG_CHECK_ERROR);

    private static final List<StatusCode> FAULTS =
            List.of(
                    StatusCode.UNRECOVERED_READ_ERROR,
                    StatusCode.WRITE_FAULT,
                    StatusCode.INTERNAL_ERROR);

    private static final int EVENT =
            AsyncEvent.of(
                    AsyncEvent.TYPE_ERROR,
                    AsyncEvent.TRANSIENT_INTERNAL_ERROR,
                    LogPageCommand.ERROR_INFORMATION);

    private FailedCommands() {}

    /** Notes a command that did not succeed. */
    public static void note(HostQueue queue, Command command) {
        int status = command.status();
        if (isOneOf(ANSWERS, status)) {
            return;
        }
        ByteBuffer entry = command.entry();
        Controller controller = queue.controller();
        command.status(Status.withMore(status));
        controller
                .errors()
                .add(
                        queue.id(),
                        command.commandId(),
                        command.status(),
                        command.kind() == CommandKind.FABRICS
                                ? 0
                                : SubmissionEntry.namespaceId(entry, 0),
                        hasBlocks(command.kind()) ? BlockCommand.firstBlock(entry, 0) : 0);
        if (isOneOf(FAULTS, status)) {
            controller.raise(EVENT);
        }
    }

    private static boolean isOneOf(List<StatusCode> codes, int status) {
        return codes.stream().anyMatch(each -> each.is(status));
    }

    private static boolean hasBlocks(CommandKind kind) {
        return kind == CommandKind.READ
                || kind == CommandKind.WRITE
                || kind == CommandKind.COMPARE
                || kind == CommandKind.WRITE_ZEROES;
    }
}
