// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.TierStatus;
import java.util.List;

/**
 * What operators see of the state at one moment. Immutable.
 *
 * @param statistics what clients may ask for, too
 * @param servers blocks of each storage server
 * @param tiers what moves between storage classes
 */
public record StatusView(
        Statistics.Reply statistics, List<ServerBlocks> servers, TierStatus.Reply tiers) {
    /**
     * The blocks of one storage server.
     *
     * @param tier name of its tier
     * @param state of the server
     * @param bytes by state of the blocks
     */
    public record ServerBlocks(String tier, ServerState state, Statistics.Capacity bytes) {}

    public StatusView {
        servers = List.copyOf(servers);
    }
}
