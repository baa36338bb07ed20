// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.fence.Gate;

/**
 * A queue that a host has connected, and its way to the medium. Immutable but for the gate.
 *
 * @param controller it belongs to
 * @param id 0 for the admin queue
 * @param entries how many commands may be under way
 * @param flowControl whether responses say how far the submission queue was read
 * @param gate what its commands pass on their way to the medium
 * @param link its connection
 */
public record HostQueue(
        Controller controller,
        int id,
        int entries,
        boolean flowControl,
        Gate gate,
        QueueLink link) {
    public boolean isAdmin() {
        return id == 0;
    }

    /** Lets no command of it reach the medium any more, then closes its connection. */
    void shut(String reason) {
        gate.close();
        link.close(reason);
    }
}
