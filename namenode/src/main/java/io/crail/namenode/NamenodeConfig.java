// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.InvalidArgumentException;
import io.crail.namenode.access.Permissions;
import io.crail.namenode.block.PlacementPolicy;
import io.crail.namenode.engine.EngineConfig;
import io.crail.namenode.log.Durability;
import io.crail.namenode.rpc.RpcOptions;
import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.status.StatusConfig;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Configuration of a namenode. Immutable and thread-safe; made by {@link #builder}.
 *
 * @param metadataDirectory log and snapshots; one namenode at a time may use it
 * @param bindHost host name or address to listen on
 * @param bindPort port, 0 = any free one
 * @param durability what an acknowledged mutation survives
 * @param inlineMemory off-heap bytes for inline values
 * @param cutLogAtCorruption accept the loss of what is behind a corruption of the log
 * @param engine limits and times of the engine
 * @param rpc limits of connections
 * @param authentication who may connect
 * @param unixSocket whether clients of this host may connect over a Unix socket
 * @param status where to show the status
 */
public record NamenodeConfig(
        Path metadataDirectory,
        String bindHost,
        int bindPort,
        Durability durability,
        long inlineMemory,
        boolean cutLogAtCorruption,
        EngineConfig engine,
        RpcOptions rpc,
        AuthenticationConfig authentication,
        boolean unixSocket,
        StatusConfig status) {
    public static Builder builder(Path metadataDirectory) {
        return new Builder(metadataDirectory);
    }

    /** Collects values; not thread-safe. */
    public static final class Builder {
        /** Heap that one node needs at most, with its name and its place in two indexes. */
        private static final long HEAP_PER_NODE = 320;

        private final Path metadataDirectory;
        private String bindHost = "localhost";
        private int bindPort;
        private Durability durability = Durability.PROCESS;
        private long inlineMemory = Runtime.getRuntime().maxMemory() / 2;
        private long maxNodes = Runtime.getRuntime().maxMemory() / HEAP_PER_NODE;
        private int inlineLimit = 1024;
        private boolean cutLogAtCorruption;
        private Duration sessionTimeout = Duration.ofSeconds(60);
        private Duration leaseTime = Duration.ofSeconds(15);
        private Duration deadServerTime = Duration.ofSeconds(30);
        private Duration serverReturnTime = Duration.ofSeconds(3);
        private Duration heartbeat = Duration.ofSeconds(1);
        private Duration unlinkedRetention = Duration.ofMinutes(10);
        private long maxResultBytes = Runtime.getRuntime().maxMemory() / 16;
        private long maxXattrBytes = Runtime.getRuntime().maxMemory() / 16;
        private long snapshotLogBytes = 256L << 20;
        private PlacementPolicy placement = PlacementPolicy.ROUND_ROBIN;
        private Permissions permissions = Permissions.OFF;
        private TierConfig tiers = TierConfig.DEFAULT;
        private String superuser = System.getProperty("user.name", "unknown");
        private RpcOptions rpc = RpcOptions.defaults();
        private AuthenticationConfig authentication = AuthenticationConfig.DEFAULT;
        private boolean unixSocket = true;
        private StatusConfig status = StatusConfig.OFF;

        private Builder(Path metadataDirectory) {
            this.metadataDirectory = metadataDirectory;
        }

        /** Where to listen; default localhost and any free port. */
        public Builder bind(String host, int port) {
            bindHost = host;
            bindPort = port;
            return this;
        }

        public Builder durability(Durability value) {
            durability = value;
            return this;
        }

        /** Off-heap bytes for inline values; default half of the heap's maximum. */
        public Builder inlineMemory(long bytes) {
            inlineMemory = bytes;
            return this;
        }

        /** Largest inline value in bytes; default 1 KiB. */
        public Builder inlineLimit(int bytes) {
            inlineLimit = bytes;
            return this;
        }

        /** Nodes at most; default the heap's maximum divided by {@value #HEAP_PER_NODE}. */
        public Builder maxNodes(long nodes) {
            maxNodes = nodes;
            return this;
        }

        public Builder cutLogAtCorruption(boolean accept) {
            cutLogAtCorruption = accept;
            return this;
        }

        public Builder sessionTimeout(Duration value) {
            sessionTimeout = value;
            return this;
        }

        public Builder leaseTime(Duration value) {
            leaseTime = value;
            return this;
        }

        public Builder deadServerTime(Duration value) {
            deadServerTime = value;
            return this;
        }

        public Builder serverReturnTime(Duration value) {
            serverReturnTime = value;
            return this;
        }

        public Builder heartbeat(Duration value) {
            heartbeat = value;
            return this;
        }

        public Builder unlinkedRetention(Duration value) {
            unlinkedRetention = value;
            return this;
        }

        /** Heap for unacknowledged answers; default a sixteenth of its maximum. */
        public Builder maxResultBytes(long bytes) {
            maxResultBytes = bytes;
            return this;
        }

        /** Heap for extended attributes; default a sixteenth of its maximum. */
        public Builder maxXattrBytes(long bytes) {
            maxXattrBytes = bytes;
            return this;
        }

        /** Bytes of log after which a snapshot is made; default 256 MiB. */
        public Builder snapshotLogBytes(long bytes) {
            snapshotLogBytes = bytes;
            return this;
        }

        public Builder placement(PlacementPolicy value) {
            placement = value;
            return this;
        }

        /** What is made of mode bits; default off. */
        public Builder permissions(Permissions value) {
            permissions = value;
            return this;
        }

        /** The user who may do everything; default the user of this process. */
        public Builder superuser(String user) {
            superuser = user;
            return this;
        }

        /** When nodes move between storage classes. */
        public Builder tiers(TierConfig value) {
            tiers = value;
            return this;
        }

        public Builder rpc(RpcOptions value) {
            rpc = value;
            return this;
        }

        /** Who may connect; without a secret, only on loopback, everybody. */
        public Builder authentication(AuthenticationConfig value) {
            authentication = value;
            return this;
        }

        /** Whether clients of the same user on this host come over a Unix socket; default true. */
        public Builder unixSocket(boolean value) {
            unixSocket = value;
            return this;
        }

        /** Where to show the status; default nowhere. */
        public Builder status(StatusConfig value) {
            status = value;
            return this;
        }

        /**
         * Checks all values together.
         *
         * @throws InvalidArgumentException naming the key that is wrong
         */
        public NamenodeConfig build() throws InvalidArgumentException {
            check(
                    inlineLimit >= 0 && inlineLimit <= EngineConfig.MAX_INLINE,
                    "namenode.inline.limit is "
                            + inlineLimit
                            + ", must be 0.."
                            + EngineConfig.MAX_INLINE);
            check(inlineMemory >= 1 << 20, "namenode.inline.memory must be at least 1 MiB");
            check(maxNodes >= 1, "namenode.nodes.max must be at least 1");
            check(bindPort >= 0 && bindPort <= 65535, "namenode.bind.port is " + bindPort);
            check(snapshotLogBytes >= 1 << 10, "namenode.snapshot.log-size must be at least 1 KiB");
            tiers.check();
            checkPositive("namenode.lease.time", leaseTime);
            checkPositive("namenode.session.timeout", sessionTimeout);
            checkPositive("namenode.heartbeat", heartbeat);
            check(
                    !unlinkedRetention.isNegative(),
                    "namenode.unlinked.retention must not be negative");
            check(
                    !serverReturnTime.isNegative(),
                    "namenode.server-return.time must not be negative");
            check(
                    deadServerTime.compareTo(heartbeat) > 0,
                    "namenode.dead-server.time ("
                            + deadServerTime
                            + ") must exceed namenode.heartbeat ("
                            + heartbeat
                            + ")");
            return new NamenodeConfig(
                    metadataDirectory,
                    bindHost,
                    bindPort,
                    durability,
                    inlineMemory,
                    cutLogAtCorruption,
                    new EngineConfig(
                            inlineLimit,
                            maxNodes,
                            sessionTimeout,
                            leaseTime,
                            deadServerTime,
                            serverReturnTime,
                            heartbeat,
                            unlinkedRetention,
                            maxResultBytes,
                            maxXattrBytes,
                            snapshotLogBytes,
                            Duration.ofMillis(1),
                            64,
                            placement,
                            permissions,
                            superuser,
                            tiers),
                    rpc,
                    authentication,
                    unixSocket,
                    status);
        }

        /** Milliseconds of it must fit 31 bits on the wire. */
        private static void checkPositive(String key, Duration value)
                throws InvalidArgumentException {
            check(
                    value.compareTo(Duration.ofMillis(1)) >= 0
                            && value.compareTo(Duration.ofDays(24)) <= 0,
                    key + " is " + value + ", must be 1 ms to 24 days");
        }

        private static void check(boolean holds, String otherwise) throws InvalidArgumentException {
            if (!holds) {
                throw new InvalidArgumentException(otherwise);
            }
        }
    }
}
