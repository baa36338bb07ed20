// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
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
 * <p><b>Whether a host was fenced</b> its absence from the report tells, not the status of the
 * command. Linux's target answers the holder of a reservation that preempts somebody with success,
 * and has done nothing; there another host of this server, registered for as long as that takes,
 * preempts in its place. Where that is in vain, too, hosts cannot be fenced.
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

    private @Nullable AnotherHost another;
    private int namespaceId;
    private boolean taken;
    private boolean tried;
    private boolean holderPreemptsNobody;
    private boolean inVain;
    private long key;

    /** Connects to the target as a further host of this server; takes no lock. */
    @FunctionalInterface
    interface AnotherHost {
        FabricConnection connect() throws NvmeException, InterruptedIOException;
    }

    Ownership(String namespaceName, UUID server, RandomGenerator random) {
        this.namespaceName = namespaceName;
        this.server = server;
        this.random = random;
    }

    /**
     * Whether hosts can be fenced: known from the first connection on, until it is found out that
     * it is in vain.
     */
    synchronized boolean isReserved() {
        return reservations != null && !inVain;
    }

    /**
     * A connection was made: what was owned before is taken again, by the new host.
     *
     * @param further of use until the next connection is made
     */
    synchronized void restore(FabricNamespace namespace, AnotherHost further) throws IOException {
        another = further;
        namespaceId = namespace.info().id();
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
     * @return whether none of those that had to be fenced can write any more; false: only time
     *     tells
     * @throws InvalidArgumentException if another storage server, or somebody else, holds it
     */
    synchronized boolean take(boolean discard) throws IOException {
        FabricReservations found = reservations;
        FabricReservations left = useless;
        boolean fenced = false;
        if (found != null) {
            fenced = take(found, discard);
        } else if (left != null) {
            giveUp(left, discard);
        }
        taken = true;
        return fenced;
    }

    private boolean take(FabricReservations found, boolean discard) throws IOException {
        Registrant holder = replaceable(found.report(), discard);
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
        boolean fenced = fenceOthers(found.report(), discard);
        LOG.info("Holding {} by a reservation", namespaceName);
        return fenced;
    }

    private boolean fenceOthers(ReservationStatus now, boolean all)
            throws NvmeException, InterruptedIOException {
        boolean fenced = now.count() <= now.registrants().size();
        for (Registrant each : now.registrants()) {
            boolean earlier = isOurs(each) && HostKey.isServer(each.key());
            if (each.key() != key && (all || earlier)) {
                fenced &= fence(each.key());
            }
        }
        return fenced;
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
     * @return whether the host with that key is gone; false: whatever the target says, it is not
     * @throws NvmeException if that is not sure
     */
    synchronized boolean fence(long victim) throws NvmeException, InterruptedIOException {
        if (!holderPreemptsNobody) {
            if (preempt(reservations(), key, victim)) {
                return true;
            }
            holderPreemptsNobody = true;
            LOG.info(
                    "{} does nothing when the holder of its reservation preempts a host, as Linux"
                            + " does not: another host of this server is registered to do it",
                    namespaceName);
        }
        boolean gone = preemptByAnother(victim);
        if (!gone && !inVain) {
            inVain = true;
            LOG.warn(
                    "{} leaves hosts registered that were preempted, so nobody can be fenced there:"
                            + " from now on freed blocks are held for a time, as without"
                            + " reservations",
                    namespaceName);
        }
        return gone;
    }

    private boolean preempt(FabricReservations by, long its, long victim)
            throws NvmeException, InterruptedIOException {
        try {
            by.preemptAndAbort(TYPE, its, victim);
        } catch (NvmeStatusException e) {
            // It has gone by itself: then it has closed its connection, or somebody fenced it.
            if (e.code() != StatusCode.RESERVATION_CONFLICT || isHere(victim)) {
                throw e;
            }
            return true;
        }
        return !isHere(victim);
    }

    /** By a registrant that does not hold the reservation. */
    private boolean preemptByAnother(long victim) throws NvmeException, InterruptedIOException {
        AnotherHost further = another;
        if (further == null) {
            throw new IllegalStateException(namespaceName + " was never connected");
        }
        FabricConnection connection = further.connect();
        try {
            FabricReservations its =
                    connection
                            .namespace(namespaceId)
                            .reservations()
                            .orElseThrow(
                                    () ->
                                            new NvmeUnsupportedException(
                                                    namespaceName + " has no reservations"));
            // As a server's, so that nobody waits for its acknowledgement, and a connection that
            // is made later fences it, should it stay registered.
            long fresh = HostKey.ofServer(random.nextLong());
            its.register(fresh);
            try {
                return preempt(its, fresh, victim);
            } finally {
                its.unregister(fresh);
            }
        } finally {
            connection.close();
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
