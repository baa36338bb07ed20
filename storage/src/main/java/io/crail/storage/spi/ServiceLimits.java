// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import java.time.Duration;

/**
 * Bounds of a data service: what one peer may cost, and for how long.
 *
 * @param maxConnections client connections at a time; one more is closed at once
 * @param helloTimeout from accepting a connection to its complete hello
 * @param stallTimeout silence within a frame
 * @param answerTimeout answers waiting without a single one being taken by the peer
 * @param revokeTimeout from a revocation to the closing of connections that still hold the block
 */
public record ServiceLimits(
        int maxConnections,
        Duration helloTimeout,
        Duration stallTimeout,
        Duration answerTimeout,
        Duration revokeTimeout) {
    public static final ServiceLimits DEFAULT =
            new ServiceLimits(
                    4096,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10));
}
