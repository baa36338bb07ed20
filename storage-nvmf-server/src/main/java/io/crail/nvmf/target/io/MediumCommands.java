// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.io;

import io.crail.nvmf.target.backing.MediumAccess;
import io.crail.nvmf.target.backing.NoSpaceException;
import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.target.fence.Gate;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DatasetCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands that read or change a medium. All access goes through {@link #access}: into the gate of
 * the queue, then past the reservation, then to the medium, then out of the gate. What is long is
 * made in steps with a gate each, so that a closed gate ends it soon.
 *
 * <p>Deallocate changes nothing: Java can neither punch holes nor discard. That is within the
 * specification, since DLFEAT says that what a deallocated block reads as is not reported, and it
 * reads as what was last written. Write Zeroes writes zeros.
 */
final class MediumCommands {
    private static final Logger LOG = LoggerFactory.getLogger(MediumCommands.class);
    private static final LogLimiter LIMITER = new LogLimiter();

    /** One access to a medium. */
    @FunctionalInterface
    private interface Access {
        int run() throws IOException;
    }

    private final Subsystem subsystem;
    private final HostQueue queue;
    private final Gate gate;
    private final UUID hostId;

    MediumCommands(Subsystem subsystem, HostQueue queue) {
        this.subsystem = subsystem;
        this.queue = queue;
        this.gate = queue.gate();
        this.hostId = queue.controller().host().id();
    }

    int execute(Command command) {
        return switch (command.kind()) {
            case READ -> read(command);
            case WRITE -> write(command);
            case COMPARE -> compare(command);
            case FLUSH -> flush(command);
            case WRITE_ZEROES -> writeZeroes(command);
            case DEALLOCATE -> deallocate(command);
            default -> StatusCode.INTERNAL_ERROR.doNotRetry();
        };
    }

    private int access(Namespace namespace, CommandKind kind, Access access) {
        int ticket = gate.enter();
        if (ticket == Gate.REFUSED) {
            return StatusCode.ABORTED_QUEUE_DELETED.status();
        }
        try {
            boolean reads = kind == CommandKind.READ || kind == CommandKind.COMPARE;
            boolean allowed =
                    reads
                            ? namespace.reservations().mayRead(hostId)
                            : namespace.reservations().mayWrite(hostId);
            return allowed ? access.run() : StatusCode.RESERVATION_CONFLICT.doNotRetry();
        } catch (NoSpaceException e) {
            warn(namespace, kind, e);
            return StatusCode.CAPACITY_EXCEEDED.doNotRetry();
        } catch (IOException e) {
            warn(namespace, kind, e);
            return kind == CommandKind.READ || kind == CommandKind.COMPARE
                    ? StatusCode.UNRECOVERED_READ_ERROR.status()
                    : StatusCode.WRITE_FAULT.status();
        } finally {
            gate.exit(ticket);
        }
    }

    /** Makes an access while the namespace's guard knows of it, if the guard lets it. */
    private static int guarded(
            Command command, long position, int length, long rider, Access access)
            throws IOException {
        CommandGuard guard = command.namespace().guard();
        boolean isWrite =
                command.kind() == CommandKind.WRITE || command.kind() == CommandKind.WRITE_ZEROES;
        long hold = guard.enter(command.entry(), isWrite, position, length, rider);
        if (hold < 0) {
            return CommandGuard.status(hold);
        }
        try {
            return access.run();
        } finally {
            guard.exit(hold);
        }
    }

    private void warn(Namespace namespace, CommandKind kind, IOException e) {
        if (LIMITER.mayLog()) {
            LOG.warn(
                    "{} of {} failed at namespace {}; further failures are counted, not logged: {}",
                    kind,
                    queue.controller(),
                    namespace.id(),
                    e.toString());
        }
    }

    private int read(Command command) {
        Namespace namespace = command.namespace();
        return access(
                namespace,
                CommandKind.READ,
                () ->
                        guarded(
                                command,
                                command.span().position(),
                                command.length(),
                                command.riderPosition(),
                                () -> {
                                    namespace.medium().read(command.span(), command.data());
                                    ByteBuffer rider = command.rider();
                                    if (rider != null) {
                                        namespace.medium().read(command.riderSpan(), rider);
                                    }
                                    return Status.SUCCESS;
                                }));
    }

    /** As {@link #read} until its system call; false if the medium must not be touched. */
    boolean beginRead(Command command) {
        int ticket = gate.enter();
        if (ticket == Gate.REFUSED) {
            command.status(StatusCode.ABORTED_QUEUE_DELETED.status());
            return false;
        }
        boolean entered = false;
        try {
            Namespace namespace = command.namespace();
            if (!namespace.reservations().mayRead(hostId)) {
                command.status(StatusCode.RESERVATION_CONFLICT.doNotRetry());
                return false;
            }
            long hold =
                    namespace
                            .guard()
                            .enter(
                                    command.entry(),
                                    false,
                                    command.span().position(),
                                    command.length(),
                                    command.riderPosition());
            if (hold < 0) {
                command.status(CommandGuard.status(hold));
                return false;
            }
            command.enter(ticket, hold);
            entered = true;
            return true;
        } finally {
            if (!entered) {
                gate.exit(ticket);
            }
        }
    }

    /** As {@link #read} after its system call. */
    void endRead(Command command) {
        try {
            command.namespace().guard().exit(command.hold());
        } finally {
            gate.exit(command.ticket());
        }
    }

    private int write(Command command) {
        Namespace namespace = command.namespace();
        return access(
                namespace,
                CommandKind.WRITE,
                () ->
                        guarded(
                                command,
                                command.span().position(),
                                command.length(),
                                command.riderPosition(),
                                () -> {
                                    namespace.medium().write(command.span(), command.data());
                                    ByteBuffer rider = command.rider();
                                    if (rider != null) {
                                        namespace.medium().write(command.riderSpan(), rider);
                                    }
                                    persist(command, namespace);
                                    return Status.SUCCESS;
                                }));
    }

    /** What must not wait for a Flush: with FUA, or when the host switched the write cache off. */
    private void persist(Command command, Namespace namespace) throws IOException {
        if (BlockCommand.isForceUnitAccess(command.entry(), 0)
                || !queue.controller().hasWriteCache()) {
            namespace.medium().flush();
        }
    }

    private int compare(Command command) {
        Namespace namespace = command.namespace();
        return access(
                namespace,
                CommandKind.COMPARE,
                () ->
                        guarded(
                                command,
                                command.span().position(),
                                command.length(),
                                CommandGuard.NO_RIDER,
                                () ->
                                        namespace
                                                        .medium()
                                                        .matches(
                                                                command.span().position(),
                                                                command.length(),
                                                                command.data(),
                                                                command.dataOffset())
                                                ? Status.SUCCESS
                                                : StatusCode.COMPARE_FAILURE.doNotRetry()));
    }

    private int flush(Command command) {
        int id = SubmissionEntry.namespaceId(command.entry(), 0);
        for (Namespace each : subsystem.namespaces()) {
            if (id != each.id() && id != -1) {
                continue;
            }
            int status =
                    access(
                            each,
                            CommandKind.FLUSH,
                            () -> {
                                each.medium().flush();
                                return Status.SUCCESS;
                            });
            if (!Status.isSuccess(status)) {
                return status;
            }
        }
        return Status.SUCCESS;
    }

    private int writeZeroes(Command command) {
        Namespace namespace = command.namespace();
        ByteBuffer entry = command.entry();
        long position = namespace.positionOf(BlockCommand.firstBlock(entry, 0));
        long end = position + (long) BlockCommand.blocks(entry, 0) * namespace.blockBytes();
        int status = Status.SUCCESS;
        while (position < end && Status.isSuccess(status)) {
            long from = position;
            int step = (int) Math.min(MediumAccess.ZERO_STEP, end - position);
            position += step;
            boolean last = position == end;
            status =
                    access(
                            namespace,
                            CommandKind.WRITE_ZEROES,
                            () ->
                                    guarded(
                                            command,
                                            from,
                                            step,
                                            CommandGuard.NO_RIDER,
                                            () -> {
                                                namespace.medium().writeZeroes(from, step);
                                                if (last) {
                                                    persist(command, namespace);
                                                }
                                                return Status.SUCCESS;
                                            }));
        }
        return status;
    }

    private int deallocate(Command command) {
        Namespace namespace = command.namespace();
        ByteBuffer ranges = command.data();
        int count = DatasetCommand.ranges(command.entry(), 0);
        for (int index = 0; index < count; index++) {
            int at = index * DatasetCommand.RANGE_SIZE;
            if (!namespace.contains(
                    DatasetCommand.rangeFirstBlock(ranges, at),
                    DatasetCommand.rangeBlocks(ranges, at))) {
                return StatusCode.LBA_OUT_OF_RANGE.doNotRetry();
            }
        }
        return access(namespace, CommandKind.DEALLOCATE, () -> Status.SUCCESS);
    }
}
