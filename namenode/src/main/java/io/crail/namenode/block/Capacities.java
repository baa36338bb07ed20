// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.Capacity;

/** Sums the counters of servers into what operators see. */
final class Capacities {
    private Capacities() {}

    static Capacity sum(int storageClass, StorageServer... servers) {
        Capacity sum = new Capacity(storageClass, 0, 0, 0, 0, 0, 0, 0);
        for (StorageServer server : servers) {
            sum = server.state() == ServerState.DEAD ? addDead(sum, server) : add(sum, server);
        }
        return sum;
    }

    private static Capacity add(Capacity sum, StorageServer server) {
        long[] bytes = server.bytes;
        long[] mismatched = server.mismatchedBytes;
        return new Capacity(
                sum.storageClass(),
                sum.capacity() + server.capacity(),
                sum.free() + bytes[Slab.FREE],
                sum.granted() + bytes[Slab.GRANTED] - mismatched[Slab.GRANTED],
                sum.committed() + bytes[Slab.COMMITTED] - mismatched[Slab.COMMITTED],
                sum.revoking() + bytes[Slab.REVOKING],
                sum.quarantined() + bytes[Slab.QUARANTINED],
                sum.lost()
                        + bytes[Slab.RETIRED]
                        + mismatched[Slab.GRANTED]
                        + mismatched[Slab.COMMITTED]);
    }

    /** A dead server's capacity is gone, but for what nodes still refer to: that is lost. */
    private static Capacity addDead(Capacity sum, StorageServer server) {
        long lost = server.bytes[Slab.GRANTED] + server.bytes[Slab.COMMITTED];
        return new Capacity(
                sum.storageClass(),
                sum.capacity() + lost,
                sum.free(),
                sum.granted(),
                sum.committed(),
                sum.revoking(),
                sum.quarantined(),
                sum.lost() + lost);
    }

    static long lostBlocks(StorageServer server) {
        long[] lost = server.state() == ServerState.DEAD ? server.blocks : server.mismatchedBlocks;
        return server.orphans + lost[Slab.GRANTED] + lost[Slab.COMMITTED];
    }
}
