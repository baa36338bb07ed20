// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.wire.QualifiedName;

/**
 * Where a subsystem is.
 *
 * @param host name or literal, resolved anew for each connection
 * @param port 4420 by custom, 8009 for discovery
 * @param subsystem its NQN
 */
public record NvmeAddress(String host, int port, String subsystem) {
    public NvmeAddress {
        QualifiedName.check(subsystem);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not within 1 to 65535");
        }
    }

    /** The discovery service there. */
    public static NvmeAddress discovery(String host, int port) {
        return new NvmeAddress(host, port, QualifiedName.DISCOVERY);
    }

    @Override
    public String toString() {
        return subsystem + " at " + host + ":" + port;
    }
}
