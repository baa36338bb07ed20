// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.Set;
import java.util.UUID;

/** Hears whom to tell what of the reservation of a namespace. Must not block. */
@FunctionalInterface
interface ReservationListener {
    /** Nobody is told. */
    ReservationListener NONE = (type, hosts) -> {};

    /**
     * Something happened to the reservation that these hosts are to be told.
     *
     * @param type as in {@link io.crail.nvmf.wire.log.ReservationNotification}
     * @param hosts identifiers of those that are to be told
     */
    void happened(int type, Set<UUID> hosts);
}
