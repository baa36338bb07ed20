// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.Controller;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.Registers;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.command.AbortCommand;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The admin commands of one controller (NVMe Base 2.0, sections 5 and 6). For the event loop of its
 * admin queue.
 *
 * <p>Until CC.EN is set only fabrics commands are allowed. A discovery controller knows Identify
 * Controller, the discovery log page, features, keep-alive and events; nothing else.
 */
public final class AdminCommands implements CommandSet {
    private static final int PSDT_SGL = 1;
    private static final int HOST_BEHAVIOR_BYTES = 512;

    private final Subsystem subsystem;
    private final HostQueue queue;
    private final Controller controller;
    private final AdminPeer peer;
    private final Identify identify;
    private final LogPages logPages;
    private final Features features;
    private final AsyncEvents events = new AsyncEvents();

    public AdminCommands(Subsystem subsystem, HostQueue queue, LogPages logPages, AdminPeer peer) {
        this.subsystem = subsystem;
        this.queue = queue;
        this.controller = queue.controller();
        this.peer = peer;
        this.identify = new Identify(subsystem, controller, peer);
        this.logPages = logPages;
        this.features = new Features(subsystem.settings(), controller);
        controller.onEvent(event -> peer.post(() -> events.raise(event, peer)));
    }

    @Override
    public boolean mayWait() {
        return false;
    }

    @Override
    public int prepare(Command command) {
        ByteBuffer entry = command.entry();
        int opcode = SubmissionEntry.opcode(entry, 0);
        boolean fabrics = opcode == AdminOpcode.FABRICS;
        command.kind(fabrics ? CommandKind.FABRICS : CommandKind.ADMIN);
        if (SubmissionEntry.fuse(entry, 0) != 0
                || SubmissionEntry.pointerType(entry, 0) != PSDT_SGL) {
            return StatusCode.INVALID_FIELD.doNotRetry();
        }
        if (fabrics) {
            return prepareFabrics(entry);
        }
        if (!controller.registers().isReady()) {
            return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
        }
        return prepare(command, opcode);
    }

    private static int prepareFabrics(ByteBuffer entry) {
        return switch (FabricsCommand.type(entry, 0)) {
            case FabricsCommand.PROPERTY_GET, FabricsCommand.PROPERTY_SET -> Status.SUCCESS;
            case FabricsCommand.CONNECT -> StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
            case FabricsCommand.DISCONNECT -> StatusCode.INVALID_QUEUE_TYPE.doNotRetry();
            default -> StatusCode.INVALID_OPCODE.doNotRetry();
        };
    }

    private int prepare(Command command, int opcode) {
        ByteBuffer entry = command.entry();
        switch (opcode) {
            case AdminOpcode.IDENTIFY ->
                    command.transfers(DataDirection.CONTROLLER_TO_HOST, IdentifyCommand.DATA_SIZE);
            case AdminOpcode.GET_LOG_PAGE -> {
                long length = LogPageCommand.length(entry, 0);
                if (length > subsystem.settings().maxTransferBytes()) {
                    return StatusCode.INVALID_FIELD.doNotRetry();
                }
                command.transfers(DataDirection.CONTROLLER_TO_HOST, (int) length);
            }
            case AdminOpcode.SET_FEATURES -> {
                if (FeaturesCommand.feature(entry, 0) == FeatureId.HOST_BEHAVIOR) {
                    command.transfers(DataDirection.HOST_TO_CONTROLLER, HOST_BEHAVIOR_BYTES);
                }
            }
            case AdminOpcode.GET_FEATURES ->
                    command.transfers(
                            DataDirection.CONTROLLER_TO_HOST,
                            Features.dataBytes(
                                    FeaturesCommand.feature(entry, 0),
                                    FeaturesCommand.select(entry, 0)));
            case AdminOpcode.ABORT -> {
                if (controller.isDiscovery()) {
                    return StatusCode.INVALID_OPCODE.doNotRetry();
                }
            }
            case AdminOpcode.KEEP_ALIVE, AdminOpcode.ASYNC_EVENT_REQUEST -> {
                // Without data.
            }
            default -> {
                return StatusCode.INVALID_OPCODE.doNotRetry();
            }
        }
        return Status.SUCCESS;
    }

    @Override
    public boolean execute(Command command) {
        switch (SubmissionEntry.opcode(command.entry(), 0)) {
            case AdminOpcode.FABRICS -> fabrics(command);
            case AdminOpcode.IDENTIFY -> command.status(identify.execute(command));
            case AdminOpcode.GET_LOG_PAGE -> getLogPage(command);
            case AdminOpcode.SET_FEATURES -> features.set(command);
            case AdminOpcode.GET_FEATURES -> features.get(command);
            case AdminOpcode.ABORT -> {
                return !abort(command);
            }
            case AdminOpcode.ASYNC_EVENT_REQUEST -> {
                return !events.hold(command);
            }
            default -> {
                // Keep Alive: that something came was noted when it came.
            }
        }
        return true;
    }

    private void getLogPage(Command command) {
        command.status(logPages.execute(command, controller, peer));
        if (command.isSuccess() && !LogPageCommand.isEventRetained(command.entry(), 0)) {
            int page = LogPageCommand.page(command.entry(), 0);
            if (page == LogPageCommand.RESERVATION_NOTIFICATION) {
                controller.notifications().wasRead();
            }
            events.wasRead(page, peer);
        }
    }

    private void fabrics(Command command) {
        ByteBuffer entry = command.entry();
        int size = PropertyCommand.size(entry, 0);
        int offset = PropertyCommand.offset(entry, 0);
        if (FabricsCommand.type(entry, 0) == FabricsCommand.PROPERTY_SET) {
            boolean cc = offset == Property.CC.offset() && size == Property.CC.size();
            command.status(
                    cc
                            ? configure((int) PropertyCommand.value(entry, 0))
                            : StatusCode.INVALID_FIELD.doNotRetry());
            return;
        }
        OptionalLong value = controller.registers().get(offset, size);
        if (value.isPresent()) {
            boolean shuts =
                    offset == Property.CSTS.offset()
                            && subsystem.associations().isAtMedium(controller);
            command.result(
                    shuts ? Registers.stillShuttingDown(value.getAsLong()) : value.getAsLong());
        } else {
            command.status(StatusCode.INVALID_FIELD.doNotRetry());
        }
    }

    private int configure(int cc) {
        Registers.Change change = controller.registers().configure(cc);
        return switch (change) {
            case INVALID -> StatusCode.INVALID_FIELD.doNotRetry();
            case OUT_OF_SEQUENCE -> StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
            case DISABLED, SHUT_DOWN -> {
                subsystem
                        .associations()
                        .closeIoQueues(controller, "its controller was disabled or shut down");
                yield Status.SUCCESS;
            }
            case ENABLED, NONE -> Status.SUCCESS;
        };
    }

    /** Whether the Abort is open, or already answered. */
    private boolean abort(Command command) {
        int queueId = AbortCommand.queueId(command.entry(), 0);
        int commandId = AbortCommand.abortedCommandId(command.entry(), 0);
        command.result(AbortCommand.result(false));
        if (queueId == queue.id()) {
            if (events.abort(commandId, peer)) {
                command.result(AbortCommand.result(true));
            }
            return false;
        }
        Optional<HostQueue> other = subsystem.associations().queue(controller, queueId);
        if (other.isEmpty()) {
            command.status(StatusCode.INVALID_FIELD.doNotRetry());
            return false;
        }
        peer.abort(command, other.get(), commandId);
        return true;
    }
}
