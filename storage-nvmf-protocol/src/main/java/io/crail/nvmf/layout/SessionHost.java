// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.util.Optional;
import java.util.UUID;

/**
 * A session of the cluster as a host of NVMe over Fabrics. Its name is made of the session's id.
 * The ticket, which proves the session and is a secret, is not part of the name, which is logged
 * and shown by every target: it is the lower half of the host identifier.
 *
 * @param session id of the session
 * @param ticket what the namenode gave it for one storage server
 */
public record SessionHost(long session, long ticket) {
    private static final String PREFIX = "nqn.2026-11.io.crail:session:";
    private static final int HEX_DIGITS = 16;

    /** Its qualified name. */
    public String name() {
        String digits = Long.toHexString(session);
        return PREFIX + "0".repeat(HEX_DIGITS - digits.length()) + digits;
    }

    /** Its identifier. */
    public UUID id() {
        return new UUID(session, ticket);
    }

    /** The session that a host says it is; empty if it does not say so, or contradicts itself. */
    public static Optional<SessionHost> of(String name, UUID id) {
        SessionHost claimed =
                new SessionHost(id.getMostSignificantBits(), id.getLeastSignificantBits());
        return claimed.session != 0 && claimed.name().equals(name)
                ? Optional.of(claimed)
                : Optional.empty();
    }

    /** For messages: without the ticket. */
    @Override
    public String toString() {
        return name();
    }
}
