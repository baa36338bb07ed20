// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import io.crail.error.CrailException;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.log.Durability;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.storage.StorageConfig;
import java.util.function.Consumer;

/**
 * What an embedded cluster shall be. Immutable; made by {@link EmbeddedCluster#builder}.
 *
 * @param servers number of storage servers
 * @param capacity bytes that each of them offers
 * @param segmentSize bytes of a segment
 * @param namenode applied to the configuration of the namenode
 * @param storage applied to the configuration of each storage server
 * @param authentication of servers, and of the clients that the cluster makes
 * @param movers whether each storage server has a mover, which works when there are several classes
 */
public record EmbeddedClusterConfig(
        int servers,
        long capacity,
        long segmentSize,
        Consumer<NamenodeConfig.Builder> namenode,
        Consumer<StorageConfig.Builder> storage,
        AuthenticationConfig authentication,
        boolean movers) {

    /** Collects settings; not thread-safe. */
    public static final class Builder {
        private int servers = 1;
        private long capacity = 64L << 20;
        private long segmentSize = 64L << 20;
        // The heap belongs to somebody else: a small share is enough for tests.
        private Consumer<NamenodeConfig.Builder> namenode =
                builder -> builder.inlineMemory(64L << 20);
        private Consumer<StorageConfig.Builder> storage = builder -> builder.transport("nio");

        private AuthenticationConfig authentication = AuthenticationConfig.DEFAULT;
        private boolean movers = true;

        Builder() {}

        /** Number of storage servers; 0 is allowed. */
        public Builder servers(int number) {
            if (number < 0) {
                throw new IllegalArgumentException(number + " storage servers");
            }
            servers = number;
            return this;
        }

        /** Bytes that each storage server offers, at least 1 MiB. */
        public Builder capacity(long bytes) {
            if (bytes < 1 << 20) {
                throw new IllegalArgumentException("capacity " + bytes + ", at least 1 MiB");
            }
            capacity = bytes;
            return this;
        }

        /** Bytes of a segment, a multiple of 1 MiB. */
        public Builder segmentSize(long bytes) {
            segmentSize = bytes;
            return this;
        }

        /** Largest value that the namenode keeps itself. */
        public Builder inlineLimit(int bytes) {
            return namenode(builder -> builder.inlineLimit(bytes));
        }

        /** What acknowledged changes survive. */
        public Builder durability(Durability level) {
            return namenode(builder -> builder.durability(level));
        }

        /** Any other setting of the namenode; applied after those before it. */
        public Builder namenode(Consumer<NamenodeConfig.Builder> setting) {
            namenode = namenode.andThen(setting);
            return this;
        }

        /** Any other setting of the storage servers; applied after those before it. */
        public Builder storage(Consumer<StorageConfig.Builder> setting) {
            storage = storage.andThen(setting);
            return this;
        }

        /** Who may enter: all servers, and the clients that the cluster makes, go by it. */
        public Builder authentication(AuthenticationConfig config) {
            authentication = config;
            return this;
        }

        /** Whether nodes move between storage classes, if there are several; default true. */
        public Builder movers(boolean value) {
            movers = value;
            return this;
        }

        /** The settings without starting anything. */
        public EmbeddedClusterConfig build() {
            return new EmbeddedClusterConfig(
                    servers, capacity, segmentSize, namenode, storage, authentication, movers);
        }

        /** Starts the cluster; returns when all servers are registered. */
        public EmbeddedCluster start() throws CrailException {
            return EmbeddedCluster.start(build());
        }
    }
}
