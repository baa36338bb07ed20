// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import org.jspecify.annotations.Nullable;

/**
 * The connection of a loop from which something came last. Where one host sends one command after
 * the other the next one comes there, and to read from its socket takes one system call, while a
 * selector takes another one before. For the event loop.
 */
final class LastHeard {
    private @Nullable Wire wire;

    /** Something came. */
    void heard(Wire from) {
        wire = from;
    }

    /** It is of no use any more. */
    void closed(Wire which) {
        if (wire == which) {
            wire = null;
        }
    }

    /** Whether there is one. */
    boolean isKnown() {
        return wire != null;
    }

    /** Takes what is there; whether something was. */
    boolean look() {
        Wire known = wire;
        return known != null && known.look();
    }
}
