// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.io;

import static io.crail.nvmf.wire.reservation.ReservationCommand.PREEMPT_AND_ABORT;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.fence.Gate;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.Reservations;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reservation commands of one queue (NVMe Base 2.0, sections 7.2 to 7.5).
 *
 * <p>Preempt and Abort is answered when nothing that the preempted hosts began before is at the
 * medium any more: their registrations are gone first, so that what they begin from then on fails,
 * and then the command waits for a barrier of each of their gates. If a command hangs in the device
 * the barrier gives up, and the command fails although the registrations are gone: the host that
 * fences must not believe that nothing comes any more.
 */
final class ReservationCommands {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationCommands.class);
    private static final long BARRIER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Subsystem subsystem;
    private final HostQueue queue;
    private final UUID hostId;

    ReservationCommands(Subsystem subsystem, HostQueue queue) {
        this.subsystem = subsystem;
        this.queue = queue;
        this.hostId = queue.controller().host().id();
    }

    int execute(Command command) {
        return switch (SubmissionEntry.opcode(command.entry(), 0)) {
            case IoOpcode.RESERVATION_REGISTER -> register(command);
            case IoOpcode.RESERVATION_ACQUIRE -> acquire(command);
            case IoOpcode.RESERVATION_RELEASE -> release(command);
            default -> report(command);
        };
    }

    private int register(Command command) {
        ByteBuffer entry = command.entry();
        int status =
                command.namespace()
                        .reservations()
                        .register(
                                hostId,
                                queue.controller().id(),
                                ReservationCommand.action(entry, 0),
                                ReservationCommand.isExistingKeyIgnored(entry, 0),
                                ReservationCommand.changePersistence(entry, 0),
                                ReservationCommand.currentKey(command.data(), 0),
                                ReservationCommand.otherKey(command.data(), 0));
        log(command, status, "registers");
        return status;
    }

    private int acquire(Command command) {
        ByteBuffer entry = command.entry();
        if (ReservationCommand.isExistingKeyIgnored(entry, 0)) {
            return StatusCode.INVALID_FIELD.doNotRetry(); // not in Acquire (section 7.2)
        }
        int action = ReservationCommand.action(entry, 0);
        Reservations.Outcome outcome =
                command.namespace()
                        .reservations()
                        .acquire(
                                hostId,
                                action,
                                ReservationType.ofCode(ReservationCommand.typeCode(entry, 0)),
                                ReservationCommand.currentKey(command.data(), 0),
                                ReservationCommand.otherKey(command.data(), 0));
        log(command, outcome.status(), "acquires");
        return action == PREEMPT_AND_ABORT && !outcome.preempted().isEmpty()
                ? awaitOthers(outcome.preempted())
                : outcome.status();
    }

    private int awaitOthers(Set<UUID> hosts) {
        long deadline = System.nanoTime() + BARRIER_NANOS;
        try {
            for (Gate gate : subsystem.associations().gatesOf(hosts)) {
                if (!gate.barrier(Math.max(0, deadline - System.nanoTime()))) {
                    LOG.warn("Commands of preempted hosts {} hang at the medium", hosts);
                    return StatusCode.INTERNAL_ERROR.status();
                }
            }
            return Status.SUCCESS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return StatusCode.INTERNAL_ERROR.status();
        }
    }

    private int release(Command command) {
        ByteBuffer entry = command.entry();
        int status =
                command.namespace()
                        .reservations()
                        .release(
                                hostId,
                                ReservationCommand.action(entry, 0),
                                ReservationCommand.isExistingKeyIgnored(entry, 0),
                                ReservationCommand.typeCode(entry, 0),
                                ReservationCommand.currentKey(command.data(), 0));
        log(command, status, "releases");
        return status;
    }

    private void log(Command command, int status, String what) {
        LOG.info(
                "Namespace {}: {} {} with action {} and type {}: {}",
                command.namespace().id(),
                queue.controller(),
                what,
                ReservationCommand.action(command.entry(), 0),
                ReservationCommand.typeCode(command.entry(), 0),
                Status.describe(status, StatusCode.Scope.NVM));
    }

    private int report(Command command) {
        if (!ReservationCommand.isExtended(command.entry(), 0)) {
            return StatusCode.HOST_ID_INCONSISTENT.doNotRetry();
        }
        Reservations reservations = command.namespace().reservations();
        int length = command.length();
        ByteBuffer whole = ByteBuffer.allocate(Math.max(length, reservations.reportSize()));
        reservations.report(whole, 0);
        LittleEndian.zero(command.data(), 0, length);
        command.data().put(0, whole, 0, length);
        return Status.SUCCESS;
    }
}
