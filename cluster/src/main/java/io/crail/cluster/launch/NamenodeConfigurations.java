// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static io.crail.protocol.config.NamenodeKeys.BIND_HOST;
import static io.crail.protocol.config.NamenodeKeys.BIND_PORT;
import static io.crail.protocol.config.NamenodeKeys.BUSY_POLL;
import static io.crail.protocol.config.NamenodeKeys.CUT_LOG;
import static io.crail.protocol.config.NamenodeKeys.DEAD_SERVER_TIME;
import static io.crail.protocol.config.NamenodeKeys.DURABILITY;
import static io.crail.protocol.config.NamenodeKeys.HEARTBEAT;
import static io.crail.protocol.config.NamenodeKeys.INLINE_LIMIT;
import static io.crail.protocol.config.NamenodeKeys.INLINE_MEMORY;
import static io.crail.protocol.config.NamenodeKeys.LEASE_TIME;
import static io.crail.protocol.config.NamenodeKeys.MAX_NODES;
import static io.crail.protocol.config.NamenodeKeys.METADATA_DIRECTORY;
import static io.crail.protocol.config.NamenodeKeys.PERMISSIONS;
import static io.crail.protocol.config.NamenodeKeys.PLACEMENT;
import static io.crail.protocol.config.NamenodeKeys.SERVER_RETURN_TIME;
import static io.crail.protocol.config.NamenodeKeys.SESSION_TIMEOUT;
import static io.crail.protocol.config.NamenodeKeys.SNAPSHOT_LOG_SIZE;
import static io.crail.protocol.config.NamenodeKeys.STATUS;
import static io.crail.protocol.config.NamenodeKeys.STATUS_HOST;
import static io.crail.protocol.config.NamenodeKeys.STATUS_PORT;
import static io.crail.protocol.config.NamenodeKeys.TIER_HIGH;
import static io.crail.protocol.config.NamenodeKeys.TIER_IDLE;
import static io.crail.protocol.config.NamenodeKeys.TIER_LOW;
import static io.crail.protocol.config.NamenodeKeys.TIER_PROMOTE_READS;
import static io.crail.protocol.config.NamenodeKeys.UNIX_SOCKET;
import static io.crail.protocol.config.NamenodeKeys.UNLINKED_RETENTION;

import io.crail.error.InvalidArgumentException;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.access.Permissions;
import io.crail.namenode.block.PlacementPolicy;
import io.crail.namenode.log.Durability;
import io.crail.namenode.rpc.RpcOptions;
import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.Configuration;
import io.crail.status.StatusConfig;
import java.util.Locale;

/** Builds the configuration of a namenode from values by key. */
final class NamenodeConfigurations {
    private NamenodeConfigurations() {}

    static NamenodeConfig of(Configuration values) throws InvalidArgumentException {
        NamenodeConfig.Builder builder =
                NamenodeConfig.builder(values.get(METADATA_DIRECTORY).toAbsolutePath())
                        .bind(values.get(BIND_HOST), values.get(BIND_PORT))
                        .durability(Durability.valueOf(constant(values.get(DURABILITY))))
                        .inlineLimit((int) values.get(INLINE_LIMIT).bytes())
                        .sessionTimeout(values.get(SESSION_TIMEOUT))
                        .leaseTime(values.get(LEASE_TIME))
                        .deadServerTime(values.get(DEAD_SERVER_TIME))
                        .serverReturnTime(values.get(SERVER_RETURN_TIME))
                        .heartbeat(values.get(HEARTBEAT))
                        .unlinkedRetention(values.get(UNLINKED_RETENTION))
                        .snapshotLogBytes(values.get(SNAPSHOT_LOG_SIZE).bytes())
                        .placement(PlacementPolicy.valueOf(constant(values.get(PLACEMENT))))
                        .permissions(Permissions.valueOf(constant(values.get(PERMISSIONS))))
                        .tiers(
                                new TierConfig(
                                        values.get(TIER_HIGH),
                                        values.get(TIER_LOW),
                                        values.get(TIER_IDLE),
                                        values.get(TIER_PROMOTE_READS)))
                        .cutLogAtCorruption(values.get(CUT_LOG))
                        .authentication(AuthenticationConfig.of(values))
                        .status(
                                new StatusConfig(
                                        values.get(STATUS),
                                        values.get(STATUS_HOST),
                                        values.get(STATUS_PORT)))
                        .unixSocket(values.get(UNIX_SOCKET))
                        .rpc(RpcOptions.defaults().withBusyPoll(values.get(BUSY_POLL)));
        // Zero leaves what the namenode derives from the limits of its JVM.
        if (values.get(INLINE_MEMORY).bytes() > 0) {
            builder.inlineMemory(values.get(INLINE_MEMORY).bytes());
        }
        if (values.get(MAX_NODES) > 0) {
            builder.maxNodes(values.get(MAX_NODES));
        }
        return builder.build();
    }

    /** The name of an enum's constant for the word that configurations use. */
    private static String constant(String word) {
        return word.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
