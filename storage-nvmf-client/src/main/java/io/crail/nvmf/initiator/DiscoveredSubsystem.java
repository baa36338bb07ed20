// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.wire.log.DiscoveryEntry;
import java.nio.ByteBuffer;

/**
 * Entry of a discovery log page.
 *
 * @param transportType TRTYPE, see {@link DiscoveryEntry}
 * @param subsystemType SUBTYPE, see {@link DiscoveryEntry}
 * @param subsystem NQN
 * @param host address of the transport, a literal for TCP
 * @param serviceId port, in decimal for TCP
 */
public record DiscoveredSubsystem(
        int transportType, int subsystemType, String subsystem, String host, String serviceId) {
    static DiscoveredSubsystem of(ByteBuffer page, int at) {
        return new DiscoveredSubsystem(
                DiscoveryEntry.transportType(page, at),
                DiscoveryEntry.subsystemType(page, at),
                DiscoveryEntry.subsystemName(page, at),
                DiscoveryEntry.address(page, at),
                DiscoveryEntry.serviceId(page, at));
    }

    /** Whether it can be connected to over TCP, as a subsystem with namespaces. */
    public boolean isTcpSubsystem() {
        return transportType == DiscoveryEntry.TRANSPORT_TCP
                && subsystemType == DiscoveryEntry.SUBSYSTEM_NVM;
    }

    /**
     * Where to connect to.
     *
     * @throws IllegalArgumentException if the entry's port or name are none
     */
    public NvmeAddress toAddress() {
        return new NvmeAddress(host, Integer.parseInt(serviceId), subsystem);
    }
}
