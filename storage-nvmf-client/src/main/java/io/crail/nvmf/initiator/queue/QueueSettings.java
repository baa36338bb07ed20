// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.engine.SocketFactory;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a queue is made with.
 *
 * @param name for messages: controller and queue
 * @param places commands at a time
 * @param waitingLimit commands that may wait for a place
 * @param inCapsuleBytes most data that a command capsule may carry
 * @param headerDigest whether to ask for digests of headers
 * @param dataDigest whether to ask for digests of data
 * @param sharesMemory whether the controller has memory to share with hosts of its machine, and
 *     this one wants it
 * @param takesRiders whether it moves riders with data that lies there
 * @param localSocket where the controller can be reached on this machine, besides its address; null
 *     if only there
 * @param connectTimeoutNanos longest time for the connection and its set-up
 * @param commandTimeoutNanos time for a command to be answered, before it is aborted
 * @param abortTimeoutNanos time for an aborted command to be answered
 * @param sockets makes unconnected sockets
 * @param onDamage run by the poller for each PDU that arrived with a wrong digest
 */
public record QueueSettings(
        String name,
        int places,
        int waitingLimit,
        int inCapsuleBytes,
        boolean headerDigest,
        boolean dataDigest,
        boolean sharesMemory,
        boolean takesRiders,
        @Nullable Path localSocket,
        long connectTimeoutNanos,
        long commandTimeoutNanos,
        long abortTimeoutNanos,
        SocketFactory sockets,
        Runnable onDamage) {
    /** Command identifiers have ten bits for the place and six for its turn. */
    public static final int MAX_PLACES = 1024;

    public QueueSettings {
        if (places < 1 || places > MAX_PLACES) {
            throw new IllegalArgumentException(
                    places + " places on a queue; 1 to " + MAX_PLACES + " are possible");
        }
    }
}
