// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;

/**
 * Reservations of a namespace (NVMe Base 2.0, section 8.19). These calls wait for the answer,
 * within the host's operation timeout; none is repeated when its fate is unknown. Thread-safe.
 */
public interface FabricReservations {
    boolean supports(ReservationType type);

    /** Registers this host with a key; it has none. */
    void register(long key) throws NvmeException, InterruptedIOException;

    /** Replaces the key of this host, whatever it is; it has one. */
    void replaceKey(long key) throws NvmeException, InterruptedIOException;

    /** Acquires a reservation that nobody holds. */
    void acquire(ReservationType type, long key) throws NvmeException, InterruptedIOException;

    /** As the other, but commands of those hosts may go on. */
    void preempt(ReservationType type, long key, long victim)
            throws NvmeException, InterruptedIOException;

    /**
     * Takes the registrations of another key away, and the reservation if that key holds it, and
     * ends the commands of its hosts before it returns. Only the report tells whether it was done:
     * Linux's target answers a holder with success, and does nothing.
     */
    void preemptAndAbort(ReservationType type, long key, long victim)
            throws NvmeException, InterruptedIOException;

    /**
     * Whether {@link #preemptAndAbort} can be had, which no capability tells: there are targets,
     * versions of SPDK among them, that register hosts but cannot end the commands of others. Finds
     * out by asking for it.
     *
     * @param key of this host, which is registered
     * @param nobody a key that no host has
     */
    default boolean canAbort(ReservationType type, long key, long nobody)
            throws NvmeException, InterruptedIOException {
        try {
            preemptAndAbort(type, key, nobody);
            return true;
        } catch (NvmeStatusException e) {
            if (e.code() == StatusCode.RESERVATION_CONFLICT) {
                return true;
            }
            if (e.code() == StatusCode.INVALID_FIELD || e.code() == StatusCode.INVALID_OPCODE) {
                return false;
            }
            throw e;
        }
    }

    /** Takes this host's registration back, and a reservation that it holds. */
    void unregister(long key) throws NvmeException, InterruptedIOException;

    /** Who is registered, and who holds what. */
    ReservationStatus report() throws NvmeException, InterruptedIOException;
}
