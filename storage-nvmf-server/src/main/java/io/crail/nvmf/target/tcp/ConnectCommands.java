// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.ConnectOutcome;
import io.crail.nvmf.target.subsystem.HostIdentity;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.QueueLink;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * What a connection takes before it is a queue: Connect, and nothing else (NVMe Base 2.0, section
 * 6.3). For the event loop.
 */
final class ConnectCommands implements CommandSet {
    private static final int MIN_ENTRIES = 2;

    private final Subsystem subsystem;
    private final QueueLink link;
    private final Consumer<HostQueue> onConnected;

    /**
     * The first commands of a connection.
     *
     * @param onConnected called when the connection has become a queue, before that is answered
     */
    ConnectCommands(Subsystem subsystem, QueueLink link, Consumer<HostQueue> onConnected) {
        this.subsystem = subsystem;
        this.link = link;
        this.onConnected = onConnected;
    }

    @Override
    public boolean mayWait() {
        return false;
    }

    @Override
    public int prepare(Command command) {
        ByteBuffer entry = command.entry();
        command.kind(CommandKind.FABRICS);
        if (SubmissionEntry.opcode(entry, 0) != AdminOpcode.FABRICS
                || FabricsCommand.type(entry, 0) != FabricsCommand.CONNECT) {
            return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
        }
        if (ConnectCommand.recordFormat(entry, 0) != 0) {
            return StatusCode.CONNECT_INCOMPATIBLE_FORMAT.doNotRetry();
        }
        command.transfers(DataDirection.HOST_TO_CONTROLLER, ConnectData.SIZE);
        return Status.SUCCESS;
    }

    /** Open while the subsystem says that the host has to wait; then it is to be called again. */
    @Override
    public boolean execute(Command command) {
        ConnectOutcome outcome = connect(command.entry(), command.data());
        if (outcome instanceof ConnectOutcome.Connected connected) {
            command.result(ConnectCommand.success(connected.queue().controller().id()));
            onConnected.accept(connected.queue());
        } else if (outcome instanceof ConnectOutcome.Refused refused) {
            command.status(refused.status());
            command.result(refused.result());
        } else {
            return false;
        }
        return true;
    }

    private ConnectOutcome connect(ByteBuffer entry, ByteBuffer data) {
        int queueId = ConnectCommand.queueId(entry, 0);
        int entries = ConnectCommand.queueSize(entry, 0);
        int controllerId = ConnectData.controllerId(data, 0);
        String hostName = ConnectData.hostName(data, 0);
        String subsystemName = ConnectData.subsystemName(data, 0);
        if (entries < MIN_ENTRIES || entries > subsystem.settings().maxQueueEntries()) {
            return invalid(ConnectCommand.QUEUE_SIZE, false);
        }
        if (!QualifiedName.isValid(hostName)) {
            return invalid(ConnectData.HOST_NAME, true);
        }
        HostIdentity host = new HostIdentity(hostName, ConnectData.hostId(data, 0));
        boolean flowControl =
                (ConnectCommand.attributes(entry, 0) & ConnectCommand.ATTRIBUTE_NO_FLOW_CONTROL)
                        == 0;
        if (queueId != 0) {
            return subsystem
                    .associations()
                    .connectIo(
                            host, subsystemName, controllerId, queueId, entries, flowControl, link);
        }
        if (controllerId != ConnectData.ANY_CONTROLLER) {
            return invalid(ConnectData.CONTROLLER_ID, true);
        }
        return subsystem
                .associations()
                .connectAdmin(
                        host,
                        subsystemName,
                        entries,
                        flowControl,
                        ConnectCommand.keepAliveMillis(entry, 0),
                        link);
    }

    private static ConnectOutcome invalid(int offset, boolean inData) {
        return new ConnectOutcome.Refused(
                StatusCode.CONNECT_INVALID_PARAMETERS.doNotRetry(),
                ConnectCommand.invalidParameter(offset, inData));
    }
}
