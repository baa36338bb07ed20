// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.access.Permissions;
import io.crail.namenode.block.PlacementPolicy;
import io.crail.namenode.tier.TierConfig;
import java.time.Duration;

/**
 * What the engine is told once. Immutable.
 *
 * @param inlineLimit largest value kept at the namenode, in bytes
 * @param maxNodes nodes at most
 * @param sessionTimeout default silence after which a session ends
 * @param leaseTime silence after which a writer may be replaced
 * @param deadServerTime silence after which a storage server is dead
 * @param serverReturnTime time that a storage server has to come back after its connection ended
 * @param heartbeat how often storage servers show that they live
 * @param unlinkedRetention how long an unlinked file may be kept open
 * @param maxResultBytes heap for answers that clients have not acknowledged, at which those that
 *     keep many get BUSY
 * @param maxXattrBytes heap for extended attributes
 * @param snapshotLogBytes bytes of log after which a snapshot is made
 * @param snapshotSlice time that a snapshot takes between two batches of requests
 * @param snapshotStep objects that it takes at least
 * @param placement how servers are chosen for blocks
 * @param permissions what is made of mode bits
 * @param superuser the user who may do everything when they are enforced
 * @param tiers when nodes move between storage classes
 */
public record EngineConfig(
        int inlineLimit,
        long maxNodes,
        Duration sessionTimeout,
        Duration leaseTime,
        Duration deadServerTime,
        Duration serverReturnTime,
        Duration heartbeat,
        Duration unlinkedRetention,
        long maxResultBytes,
        long maxXattrBytes,
        long snapshotLogBytes,
        Duration snapshotSlice,
        int snapshotStep,
        PlacementPolicy placement,
        Permissions permissions,
        String superuser,
        TierConfig tiers) {
    /** Largest inline value that a configuration may allow: one field of a log record. */
    public static final int MAX_INLINE = 60 << 10;
}
