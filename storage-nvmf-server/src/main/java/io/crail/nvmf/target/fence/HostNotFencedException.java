// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.fence;

import java.io.IOException;

/**
 * A host was revoked, but commands of it are still at the medium: they hang in the device, or in
 * what is below the file. They may yet change bytes, so nothing that the host could write may be
 * freed. The host cannot come back; ask again later.
 */
public final class HostNotFencedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String hostNqn;
    private final int commands;

    public HostNotFencedException(String hostNqn, int commands, long waitedMillis, String details) {
        super(
                "host "
                        + hostNqn
                        + " is revoked, but "
                        + commands
                        + " of its commands hang at the medium since more than "
                        + waitedMillis
                        + " ms"
                        + details
                        + ": free nothing that it could write, and revoke it again to wait on;"
                        + " look after the device");
        this.hostNqn = hostNqn;
        this.commands = commands;
    }

    public String hostNqn() {
        return hostNqn;
    }

    /** How many commands are at the medium. */
    public int commands() {
        return commands;
    }
}
