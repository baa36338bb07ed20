// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import java.time.Duration;
import java.util.UUID;

/**
 * As whom, and how, a connection is made.
 *
 * @param name NQN of the host
 * @param id host identifier; reservations belong to it
 * @param digests what is checked on the way, where the fabric leaves that to us
 * @param sharedMemory whether data goes through memory that a target on this machine shares
 * @param queues I/O queues to ask for
 * @param entries entries of an I/O queue to ask for
 * @param waiting commands per queue that may wait for a place
 * @param keepAlive silence after which the target is to give this host up
 * @param connectTimeout for each step of the set-up
 * @param commandTimeout until a command is aborted
 * @param abortTimeout until the connection is ended because aborting did not help
 * @param operationTimeout for a command as a whole, its waiting and its repetitions
 */
public record FabricHost(
        String name,
        UUID id,
        Digests digests,
        boolean sharedMemory,
        int queues,
        int entries,
        int waiting,
        Duration keepAlive,
        Duration connectTimeout,
        Duration commandTimeout,
        Duration abortTimeout,
        Duration operationTimeout) {
    /**
     * Checksums of what goes over the network.
     *
     * @param header whether to ask for those of headers
     * @param data whether to ask for those of data
     * @param damaged run for each that was wrong, in a thread that must not wait
     */
    public record Digests(boolean header, boolean data, Runnable damaged) {
        /** None are asked for. */
        public static final Digests NONE = new Digests(false, false, () -> {});
    }
}
