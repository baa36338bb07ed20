// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Queues that are closed and whose commands may still be at the medium, or whose connections have
 * not let go of their buffers. Until a queue has left this list something of its host can still
 * change bytes. Guarded by the associations.
 */
final class Departed {
    private final List<HostQueue> queues = new ArrayList<>();

    void add(HostQueue queue) {
        queues.removeIf(Departed::isThrough);
        queues.add(queue);
    }

    /** Those of a host, by its name. */
    List<HostQueue> of(String hostNqn) {
        queues.removeIf(Departed::isThrough);
        return queues.stream()
                .filter(each -> each.controller().host().nqn().equals(hostNqn))
                .toList();
    }

    /** Those of hosts with these identifiers. */
    List<HostQueue> ofIds(Set<UUID> hostIds) {
        return queues.stream()
                .filter(each -> hostIds.contains(each.controller().host().id()))
                .toList();
    }

    /** Whether something of this host may still be at the medium. */
    boolean isAtMedium(HostIdentity host) {
        return queues.stream()
                .anyMatch(
                        each -> each.controller().host().equals(host) && each.gate().inside() > 0);
    }

    /** Whether something of this controller's closed queues may still be at the medium. */
    boolean isAtMedium(Controller controller) {
        return queues.stream()
                .anyMatch(each -> each.controller() == controller && each.gate().inside() > 0);
    }

    private static boolean isThrough(HostQueue queue) {
        return queue.gate().inside() == 0 && queue.link().isGone();
    }
}
