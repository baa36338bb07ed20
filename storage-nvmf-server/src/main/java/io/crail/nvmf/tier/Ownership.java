// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reservation by which one storage server owns a namespace, where the target has reservations:
 * Write Exclusive - Registrants Only. It has one holder, the server; clients write because they are
 * registered, and cannot any more once their registration is taken away. With All Registrants each
 * client would be a holder, and two servers could not be told apart.
 *
 * <p>It is never released, not even by an orderly end: whoever was fenced must stay fenced.
 *
 * <p>Thread-safe; calls wait for the target, with bounds.
 */
final class Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);
    private static final ReservationType TYPE = ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;

    private final String namespaceName;
    private final UUID server;
    private final RandomGenerator random;
    private @Nullable FabricReservations reservations;

    /** Of a target where they do not fence. */
    private @Nullable FabricReservations useless;

    private boolean taken;
    private boolean tried;
    private long key;

    Ownership(String namespaceName, UUID server, RandomGenerator random) {
        this.namespaceName = namespaceName;
        this.server = server;
        this.random = random;
    }

    /** Whether hosts can be fenced: known from the first connection on. */
    synchronized boolean isReserved() {
        return reservations != null;
    }

    /** A connection was made: what was owned before is taken again, by the new host. */
    synchronized void restore(FabricNamespace namespace) throws IOException {
        FabricReservations found =
                namespace.reservations().filter(each -> each.supports(TYPE)).orElse(null);
        useless = null;
        if (found != null && !(tried ? reservations != null : isUsable(found))) {
            useless = found;
            found = null;
        }
        tried = true;
        if (taken && reservations != null && found == null) {
            throw new InvalidArgumentException(
                    namespaceName + " had reservations and has none any more; restart this server");
        }
        reservations = found;
        if (taken && found != null) {
            take(found, false);
        }
    }

    /** Reservations that cannot end what is under way do not fence: time does it better. */
    private boolean isUsable(FabricReservations found) throws IOException {
        long mine = HostKey.ofServer(random.nextLong());
        found.register(mine);
        boolean usable = found.canAbort(TYPE, mine, HostKey.NOBODY);
        found.unregister(mine);
        if (!usable) {
            LOG.warn(
                    "{} has reservations, but cannot end the commands of other hosts: freed blocks"
                            + " are held for a time, as without reservations",
                    namespaceName);
        }
        return usable;
    }

    /**
     * Takes the namespace.
     *
     * @param discard whether what is there is given up: then every other host loses its
     *     registration
     * @throws InvalidArgumentException if another storage server, or somebody else, holds it
     */
    synchronized void take(boolean discard) throws IOException {
        FabricReservations found = reservations;
        FabricReservations left = useless;
        if (found != null) {
            take(found, discard);
        } else if (left != null) {
            giveUp(left, discard);
        }
        taken = true;
    }

    private void take(FabricReservations found, boolean discard) throws IOException {
        ReservationStatus now = found.report();
        Registrant holder = replaceable(now, discard);
        long fresh = HostKey.ofServer(random.nextLong());
        try {
            found.register(fresh);
            if (holder == null) {
                found.acquire(TYPE, fresh);
            } else {
                // Ends what an earlier connection of this server has left behind, too.
                found.preemptAndAbort(TYPE, fresh, holder.key());
            }
        } catch (NvmeStatusException e) {
            if (e.code() == StatusCode.RESERVATION_CONFLICT) {
                throw new InvalidArgumentException(
                        namespaceName + ": another host took it at the same moment", e);
            }
            throw e;
        }
        key = fresh;
        for (Registrant each : now.registrants()) {
            boolean earlier = isOurs(each) && HostKey.isServer(each.key());
            if (!each.equals(holder) && (discard || earlier)) {
                fence(each.key());
            }
        }
        LOG.info("Holding {} by a reservation", namespaceName);
    }

    /** Ends a reservation by which this server could not write, and which fences nobody. */
    private void giveUp(FabricReservations left, boolean discard) throws IOException {
        Registrant holder = replaceable(left.report(), discard);
        if (holder == null) {
            return;
        }
        long fresh = HostKey.ofServer(random.nextLong());
        left.register(fresh);
        left.preempt(TYPE, fresh, holder.key());
        left.unregister(fresh); // Releases it, too.
        LOG.info(
                "Ended the reservation of {} by host {}, which fences nobody there",
                namespaceName,
                holder.hostId());
    }

    /** Who holds the namespace, and may be put out of it; null: nobody does. */
    private @Nullable Registrant replaceable(ReservationStatus now, boolean discard)
            throws InvalidArgumentException {
        Registrant holder = holder(now);
        if (now.type() != null && now.type() != TYPE) {
            throw taken("it is reserved as " + now.type());
        }
        if (now.type() != null && holder == null) {
            throw taken("it has more hosts than can be seen");
        }
        if (holder != null && !discard && !mayPreempt(holder)) {
            if (isOurs(holder)) {
                throw takenByAnotherLife(namespaceName);
            }
            throw taken("host " + holder.hostId() + " holds the reservation");
        }
        return holder;
    }

    private InvalidArgumentException taken(String why) {
        return new InvalidArgumentException(
                namespaceName
                        + " belongs to somebody else: "
                        + why
                        + ". Stop it, or name another namespace; give up what is there with"
                        + " --format");
    }

    /** What a server is told that runs twice: by the reservation, or by the owner record. */
    static InvalidArgumentException takenByAnotherLife(String namespaceName) {
        return new InvalidArgumentException(
                namespaceName
                        + " was taken by another life of this storage server; there must be one"
                        + " only. Stop one of them");
    }

    private static @Nullable Registrant holder(ReservationStatus status) {
        return status.registrants().stream().filter(Registrant::holds).findFirst().orElse(null);
    }

    /** A server that starts ends its former life; one that was ended does not come back. */
    private boolean mayPreempt(Registrant holder) {
        return taken ? holder.key() == key : isOurs(holder);
    }

    private boolean isOurs(Registrant host) {
        return host.hostId().getMostSignificantBits() == server.getMostSignificantBits();
    }

    /** Who may write now. */
    synchronized ReservationStatus report() throws NvmeException, InterruptedIOException {
        return reservations().report();
    }

    /**
     * Takes a host its registration away and ends its commands.
     *
     * @throws NvmeException if that is not sure
     */
    synchronized void fence(long victim) throws NvmeException, InterruptedIOException {
        try {
            reservations().preemptAndAbort(TYPE, key, victim);
        } catch (NvmeStatusException e) {
            // It has gone by itself: then it has closed its connection, or somebody fenced it.
            if (e.code() != StatusCode.RESERVATION_CONFLICT || isHere(victim)) {
                throw e;
            }
        }
    }

    private boolean isHere(long victim) throws NvmeException, InterruptedIOException {
        return reservations().report().registrants().stream().anyMatch(r -> r.key() == victim);
    }

    private FabricReservations reservations() {
        FabricReservations found = reservations;
        if (found == null) {
            throw new IllegalStateException(namespaceName + " has no reservations");
        }
        return found;
    }
}
