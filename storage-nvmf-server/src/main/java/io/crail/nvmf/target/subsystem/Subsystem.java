// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.List;
import java.util.Optional;

/**
 * The NVM subsystem that a target serves.
 *
 * @param settings what it is
 * @param namespaces in the order of their ids, which count from 1 without gaps
 * @param associations who is there
 */
public record Subsystem(
        SubsystemSettings settings, List<Namespace> namespaces, Associations associations) {
    public Subsystem {
        namespaces = List.copyOf(namespaces);
        for (int index = 0; index < namespaces.size(); index++) {
            if (namespaces.get(index).id() != index + 1) {
                throw new IllegalArgumentException("namespace ids count from 1 without gaps");
            }
        }
        for (Namespace each : namespaces) {
            int id = each.id();
            each.reservations()
                    .listener((type, hosts) -> associations.tellOfReservation(hosts, type, id));
        }
    }

    /** The namespace with an id. */
    public Optional<Namespace> namespace(int id) {
        return id >= 1 && id <= namespaces.size()
                ? Optional.of(namespaces.get(id - 1))
                : Optional.empty();
    }
}
