// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import java.util.Set;

/**
 * What a subsystem is and how much it admits.
 *
 * @param nqn its name
 * @param serialNumber of its controllers, at most 20 characters
 * @param anyHost whether hosts need not be on the list
 * @param allowedHosts names of hosts that may connect at the start
 * @param oneAssociationPerHost whether a new association of a host ends the one it had
 * @param maxControllers associations at a time, those with the discovery service included
 * @param maxIoQueues I/O queues of a controller
 * @param maxQueueEntries commands under way on a queue
 * @param maxTransferBytes most data of a command, a power of two from 4096
 * @param inCapsuleBytes most data in the capsule of an I/O command
 * @param sharesMemory whether hosts of this machine may ask for memory to share
 * @param discoveryIdleMillis how long an association with the discovery service may be silent if
 *     its host names no time
 */
public record SubsystemSettings(
        String nqn,
        String serialNumber,
        boolean anyHost,
        Set<String> allowedHosts,
        boolean oneAssociationPerHost,
        int maxControllers,
        int maxIoQueues,
        int maxQueueEntries,
        int maxTransferBytes,
        int inCapsuleBytes,
        boolean sharesMemory,
        long discoveryIdleMillis) {
    public SubsystemSettings {
        allowedHosts = Set.copyOf(allowedHosts);
    }
}
