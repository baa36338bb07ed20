// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationReport;
import io.crail.nvmf.wire.reservation.ReservationType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reservations of a namespace (NVMe Base 2.0, section 8.19), by which hosts are fenced: a host
 * registers a key; whoever holds a reservation admits some hosts; to preempt and abort takes a
 * key's hosts their registration away and ends their commands.
 *
 * <p>Keys identify registrations, they are no secrets. Commands whose fate is unknown are not
 * repeated: read the report. Thread-safe.
 */
public final class NvmeReservations {
    private static final int REPORT_BYTES = 4096;

    private final NvmeController controller;
    private final NamespaceInfo namespace;

    NvmeReservations(NvmeController controller, NamespaceInfo namespace) {
        this.controller = controller;
        this.namespace = namespace;
    }

    /** Whether controller and namespace know that type. */
    public boolean supports(ReservationType type) {
        return controller.info().supports(ControllerData.SUPPORTS_RESERVATIONS)
                && (namespace.reservations() & type.capability()) != 0;
    }

    /** Registers this host with a key. */
    public NvmeFuture<Void> register(long key) {
        return register(ReservationCommand.REGISTER, 0, key, false);
    }

    /** Replaces this host's key, whatever it is. */
    public NvmeFuture<Void> replaceKey(long key) {
        return register(ReservationCommand.REPLACE, 0, key, true);
    }

    /** Takes this host's registration back, and a reservation that it holds. */
    public NvmeFuture<Void> unregister(long key) {
        return register(ReservationCommand.UNREGISTER, key, 0, false);
    }

    private NvmeFuture<Void> register(int action, long current, long next, boolean ignore) {
        ByteBuffer keys = ByteBuffer.allocateDirect(ReservationCommand.TWO_KEYS);
        ReservationCommand.encodeKeys(keys, 0, current, next);
        return post(
                "Reservation Register",
                IoOpcode.RESERVATION_REGISTER,
                keys,
                (buffer, at, id) ->
                        ReservationCommand.encodeRegister(
                                buffer, at, id, namespace.id(), action, ignore, 0));
    }

    /** Acquires a reservation that nobody holds. */
    public NvmeFuture<Void> acquire(ReservationType type, long key) {
        return acquire(ReservationCommand.ACQUIRE, type, key, 0);
    }

    /**
     * Takes the registrations of another key away, and the reservation if that key holds it; with
     * {@code abort} their commands end before this does.
     */
    public NvmeFuture<Void> preempt(ReservationType type, long key, long victim, boolean abort) {
        return acquire(
                abort ? ReservationCommand.PREEMPT_AND_ABORT : ReservationCommand.PREEMPT,
                type,
                key,
                victim);
    }

    private NvmeFuture<Void> acquire(int action, ReservationType type, long key, long victim) {
        ByteBuffer keys = ByteBuffer.allocateDirect(ReservationCommand.TWO_KEYS);
        ReservationCommand.encodeKeys(keys, 0, key, victim);
        return post(
                "Reservation Acquire",
                IoOpcode.RESERVATION_ACQUIRE,
                keys,
                (buffer, at, id) ->
                        ReservationCommand.encodeAcquire(
                                buffer, at, id, namespace.id(), action, type));
    }

    /** Releases a reservation that this host holds. */
    public NvmeFuture<Void> release(ReservationType type, long key) {
        return release(ReservationCommand.RELEASE, type.code(), key);
    }

    /** Removes all registrations and the reservation. */
    public NvmeFuture<Void> clear(long key) {
        return release(ReservationCommand.CLEAR, 0, key);
    }

    private NvmeFuture<Void> release(int action, int type, long key) {
        ByteBuffer keys = ByteBuffer.allocateDirect(ReservationCommand.ONE_KEY);
        ReservationCommand.encodeKey(keys, 0, key);
        return post(
                "Reservation Release",
                IoOpcode.RESERVATION_RELEASE,
                keys,
                (buffer, at, id) ->
                        ReservationCommand.encodeRelease(
                                buffer, at, id, namespace.id(), action, type));
    }

    private NvmeFuture<Void> post(
            String what, int opcode, ByteBuffer data, PlainCommand.Encoder encoder) {
        NvmeFuture<Void> future = new NvmeFuture<>(controller.engine());
        post(what, opcode, data, false, encoder, NvmeNamespace.ending(future));
        return future;
    }

    private void post(
            String what,
            int opcode,
            ByteBuffer data,
            boolean repeatable,
            PlainCommand.Encoder encoder,
            IoCompletion completion) {
        if (!controller.info().supports(ControllerData.SUPPORTS_RESERVATIONS)) {
            NvmeException cause =
                    new NvmeUnsupportedException(
                            controller.address() + " does not support reservations");
            controller.engine().complete(() -> completion.ended(cause));
            controller.engine().wakeup();
            return;
        }
        new SimpleCommand(
                        controller,
                        what + " of namespace " + namespace.id(),
                        opcode,
                        data,
                        repeatable,
                        encoder,
                        completion)
                .post();
    }

    /** Who is registered, and who holds what. */
    public NvmeFuture<ReservationStatus> report() {
        NvmeFuture<ReservationStatus> future = new NvmeFuture<>(controller.engine());
        report(REPORT_BYTES, future);
        return future;
    }

    /** Asks again if not all registrants fit, and more can be read at once. */
    private void report(int bytes, NvmeFuture<ReservationStatus> future) {
        ByteBuffer data = ByteBuffer.allocateDirect(bytes);
        post(
                "Reservation Report",
                IoOpcode.RESERVATION_REPORT,
                data,
                true,
                (buffer, at, id) ->
                        ReservationCommand.encodeReport(
                                buffer, at, id, namespace.id(), bytes, true),
                failure -> {
                    int wanted = failure == null ? bytesFor(data) : 0;
                    if (failure != null) {
                        future.completeExceptionally(failure);
                    } else if (wanted > bytes) {
                        report(wanted, future);
                    } else {
                        future.complete(decode(data));
                    }
                });
    }

    /** For all registrants that a report tells of, in whole pages, as far as one command goes. */
    private int bytesFor(ByteBuffer data) {
        long all = ReservationReport.size(ReservationReport.registrants(data, 0));
        long pages = (all + REPORT_BYTES - 1) & -REPORT_BYTES;
        return (int) Math.min(pages, controller.maxTransferBytes() & -REPORT_BYTES);
    }

    private static ReservationStatus decode(ByteBuffer data) {
        int all = ReservationReport.registrants(data, 0);
        int fit =
                (data.capacity() - ReservationReport.HEADER_SIZE)
                        / ReservationReport.REGISTRANT_SIZE;
        List<ReservationStatus.Registrant> registrants = new ArrayList<>();
        for (int i = 0; i < Math.min(all, fit); i++) {
            int at = ReservationReport.size(i);
            registrants.add(
                    new ReservationStatus.Registrant(
                            ReservationReport.hostId(data, at),
                            ReservationReport.controllerId(data, at),
                            ReservationReport.key(data, at),
                            ReservationReport.holds(data, at)));
        }
        return new ReservationStatus(
                ReservationReport.generation(data, 0),
                ReservationType.ofCode(ReservationReport.typeCode(data, 0)),
                all,
                List.copyOf(registrants));
    }
}
