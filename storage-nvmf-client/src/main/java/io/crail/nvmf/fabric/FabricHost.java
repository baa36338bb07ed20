// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import java.time.Duration;
import java.util.UUID;

/**
 * As whom, and how, a connection is made.
 *
 * @param name NQN of the host
 * @param id host identifier; reservations belong to it
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
        int queues,
        int entries,
        int waiting,
        Duration keepAlive,
        Duration connectTimeout,
        Duration commandTimeout,
        Duration abortTimeout,
        Duration operationTimeout) {}
