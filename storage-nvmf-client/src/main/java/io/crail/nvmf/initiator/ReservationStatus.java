// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.wire.reservation.ReservationType;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reservations of a namespace at one time.
 *
 * @param generation changes with every change of a registration
 * @param type null if nobody holds a reservation
 * @param count number of registrants, of which as many are listed as one command can tell of
 */
public record ReservationStatus(
        int generation, @Nullable ReservationType type, int count, List<Registrant> registrants) {
    /**
     * A host that is registered.
     *
     * @param controllerId FFFFh if it has no controller now
     * @param holds whether it holds the reservation
     */
    public record Registrant(UUID hostId, int controllerId, long key, boolean holds) {}
}
