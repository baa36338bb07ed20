// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.io;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.target.shared.QueueMemory;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.DatasetCommand;
import io.crail.nvmf.wire.command.DisconnectCommand;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The NVM Command Set on one I/O queue (NVM Command Set 1.0, section 3.2; reservations: NVMe Base
 * 2.0, section 7; Disconnect: section 6.4).
 *
 * <p>Besides, those by which memory is shared with the host ({@link SharedMemoryCommand}).
 *
 * <p>This class says which commands are valid and what data they have; {@link MediumCommands} and
 * {@link ReservationCommands} carry them out. Thread-safe but for the commands themselves.
 */
public final class IoCommands implements CommandSet {
    /** NSID that stands for all namespaces. */
    private static final int ALL_NAMESPACES = 0xFFFF_FFFF;

    private static final int PSDT_SGL = 1;

    /** Bytes of the largest structure that a host sends: 256 ranges. */
    private static final int MAX_STRUCTURE = DatasetCommand.MAX_RANGES * DatasetCommand.RANGE_SIZE;

    private final Subsystem subsystem;
    private final HostQueue queue;
    private final MediumCommands medium;
    private final ReservationCommands reservations;
    private final QueueMemory shared;

    /**
     * The commands of a queue.
     *
     * @param shared memory that the queue may share with its host
     */
    public IoCommands(Subsystem subsystem, HostQueue queue, QueueMemory shared) {
        this.subsystem = subsystem;
        this.queue = queue;
        this.medium = new MediumCommands(subsystem, queue);
        this.reservations = new ReservationCommands(subsystem, queue);
        this.shared = shared;
    }

    @Override
    public boolean mayWait() {
        return true;
    }

    @Override
    public int prepare(Command command) {
        ByteBuffer entry = command.entry();
        int opcode = SubmissionEntry.opcode(entry, 0);
        command.kind(kindOf(opcode));
        if (SubmissionEntry.fuse(entry, 0) != 0
                || SubmissionEntry.pointerType(entry, 0) != PSDT_SGL) {
            return StatusCode.INVALID_FIELD.doNotRetry();
        }
        if (opcode == AdminOpcode.FABRICS) {
            return prepareFabrics(entry);
        }
        if (!queue.controller().registers().isReady()) {
            return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
        }
        if (command.kind() == CommandKind.UNKNOWN) {
            return StatusCode.INVALID_OPCODE.doNotRetry();
        }
        if (command.kind() == CommandKind.MEMORY) {
            if (opcode == IoOpcode.SHARE_MEMORY) {
                command.transfers(
                        DataDirection.CONTROLLER_TO_HOST, SharedMemoryCommand.ANSWER_SIZE);
            }
            return shared.isPossible() ? Status.SUCCESS : StatusCode.INVALID_OPCODE.doNotRetry();
        }
        int id = SubmissionEntry.namespaceId(entry, 0);
        if (opcode == IoOpcode.FLUSH && id == ALL_NAMESPACES) {
            return Status.SUCCESS;
        }
        Optional<Namespace> namespace = subsystem.namespace(id);
        if (namespace.isEmpty()) {
            return StatusCode.INVALID_NAMESPACE_OR_FORMAT.doNotRetry();
        }
        command.namespace(namespace.get());
        return prepare(command, opcode, namespace.get());
    }

    private static CommandKind kindOf(int opcode) {
        return switch (opcode) {
            case IoOpcode.READ -> CommandKind.READ;
            case IoOpcode.WRITE -> CommandKind.WRITE;
            case IoOpcode.FLUSH -> CommandKind.FLUSH;
            case IoOpcode.COMPARE -> CommandKind.COMPARE;
            case IoOpcode.WRITE_ZEROES -> CommandKind.WRITE_ZEROES;
            case IoOpcode.DATASET_MANAGEMENT -> CommandKind.DEALLOCATE;
            case IoOpcode.RESERVATION_REGISTER,
                    IoOpcode.RESERVATION_ACQUIRE,
                    IoOpcode.RESERVATION_RELEASE,
                    IoOpcode.RESERVATION_REPORT ->
                    CommandKind.RESERVATION;
            case AdminOpcode.FABRICS -> CommandKind.FABRICS;
            case IoOpcode.SHARE_MEMORY, IoOpcode.USE_MEMORY -> CommandKind.MEMORY;
            default -> CommandKind.UNKNOWN;
        };
    }

    private static int prepareFabrics(ByteBuffer entry) {
        return switch (FabricsCommand.type(entry, 0)) {
            case FabricsCommand.DISCONNECT ->
                    DisconnectCommand.recordFormat(entry, 0) == 0
                            ? Status.SUCCESS
                            : StatusCode.CONNECT_INCOMPATIBLE_FORMAT.doNotRetry();
            case FabricsCommand.CONNECT -> StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
            case FabricsCommand.PROPERTY_GET, FabricsCommand.PROPERTY_SET ->
                    StatusCode.INVALID_QUEUE_TYPE.doNotRetry();
            default -> StatusCode.INVALID_OPCODE.doNotRetry();
        };
    }

    private int prepare(Command command, int opcode, Namespace namespace) {
        ByteBuffer entry = command.entry();
        switch (opcode) {
            case IoOpcode.READ -> {
                return prepareRange(command, namespace, DataDirection.CONTROLLER_TO_HOST);
            }
            case IoOpcode.WRITE, IoOpcode.COMPARE -> {
                return prepareRange(command, namespace, DataDirection.HOST_TO_CONTROLLER);
            }
            case IoOpcode.WRITE_ZEROES -> {
                return checkRange(entry, namespace);
            }
            case IoOpcode.DATASET_MANAGEMENT ->
                    takeStructure(
                            command, DatasetCommand.ranges(entry, 0) * DatasetCommand.RANGE_SIZE);
            case IoOpcode.RESERVATION_REGISTER, IoOpcode.RESERVATION_ACQUIRE ->
                    takeStructure(command, ReservationCommand.TWO_KEYS);
            case IoOpcode.RESERVATION_RELEASE -> takeStructure(command, ReservationCommand.ONE_KEY);
            case IoOpcode.RESERVATION_REPORT -> {
                long length = ReservationCommand.reportLength(entry, 0);
                if (length > subsystem.settings().maxTransferBytes()) {
                    return StatusCode.INVALID_FIELD.doNotRetry();
                }
                command.transfers(DataDirection.CONTROLLER_TO_HOST, (int) length);
            }
            default -> {
                // Flush has no data.
            }
        }
        return Status.SUCCESS;
    }

    /**
     * The command's data is a structure. Hosts may send more than it has: Linux always sends all
     * 256 ranges of Dataset Management, and two keys with Reservation Release.
     */
    private static void takeStructure(Command command, int length) {
        long described = SglDescriptor.length(command.entry(), SubmissionEntry.SGL);
        boolean more = described > length && described <= MAX_STRUCTURE;
        command.transfers(DataDirection.HOST_TO_CONTROLLER, more ? (int) described : length);
    }

    private int prepareRange(Command command, Namespace namespace, DataDirection way) {
        ByteBuffer entry = command.entry();
        int status = checkRange(entry, namespace);
        if (!Status.isSuccess(status)) {
            return status;
        }
        long length = (long) BlockCommand.blocks(entry, 0) * namespace.blockBytes();
        if (length > subsystem.settings().maxTransferBytes()) {
            return StatusCode.INVALID_FIELD.doNotRetry(); // MDTS (NVMe Base 2.0, section 5.17.2.1)
        }
        long position = namespace.positionOf(BlockCommand.firstBlock(entry, 0));
        command.transfers(way, namespace, namespace.medium().span(position, (int) length));
        return Status.SUCCESS;
    }

    private static int checkRange(ByteBuffer entry, Namespace namespace) {
        return namespace.contains(BlockCommand.firstBlock(entry, 0), BlockCommand.blocks(entry, 0))
                ? Status.SUCCESS
                : StatusCode.LBA_OUT_OF_RANGE.doNotRetry();
    }

    @Override
    public boolean isPlainRead(Command command) {
        return command.kind() == CommandKind.READ;
    }

    @Override
    public boolean beginRead(Command command) {
        return medium.beginRead(command);
    }

    @Override
    public void endRead(Command command) {
        medium.endRead(command);
    }

    private int executeMemory(Command command) {
        return SubmissionEntry.opcode(command.entry(), 0) == IoOpcode.SHARE_MEMORY
                ? shared.share(command.data())
                : shared.use(SharedMemoryCommand.isMapped(command.entry(), 0));
    }

    @Override
    public boolean execute(Command command) {
        switch (command.kind()) {
            case FABRICS -> command.endQueue();
            case RESERVATION -> command.status(reservations.execute(command));
            case MEMORY -> command.status(executeMemory(command));
            default -> command.status(medium.execute(command));
        }
        return true;
    }
}
