// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.protocol.frame.ProtocolLimits;

/**
 * A wish for blocks.
 *
 * @param storageClass class to take them from; higher ones follow when it is full
 * @param policy choice of servers
 * @param host the client's host, or empty
 * @param location the client's location class, or empty
 * @param bytes bytes to hold, at least 1
 * @param exact that is all there will be: fit tightly; else equal blocks of up to 1 MiB
 * @param maxBlocks at most so many blocks
 * @param excludedServers ids of servers not to use
 * @param lastClass class behind which none is used
 */
public record Allocation(
        int storageClass,
        PlacementPolicy policy,
        String host,
        String location,
        long bytes,
        boolean exact,
        int maxBlocks,
        int[] excludedServers,
        int lastClass) {
    /** A wish that any class behind the first may fulfil. */
    public Allocation(
            int storageClass,
            PlacementPolicy policy,
            String host,
            String location,
            long bytes,
            boolean exact,
            int maxBlocks,
            int[] excludedServers) {
        this(
                storageClass,
                policy,
                host,
                location,
                bytes,
                exact,
                maxBlocks,
                excludedServers,
                StorageClasses.COUNT - 1);
    }

    public Allocation {
        if (storageClass < 0 || storageClass >= StorageClasses.COUNT) {
            throw new IllegalArgumentException("storage class " + storageClass);
        }
        if (lastClass < storageClass || lastClass >= StorageClasses.COUNT) {
            throw new IllegalArgumentException(
                    "storage classes " + storageClass + " to " + lastClass);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("allocation of " + bytes + " bytes");
        }
        if (maxBlocks < 1 || maxBlocks > ProtocolLimits.MAX_REFERENCES) {
            throw new IllegalArgumentException("allocation of at most " + maxBlocks + " blocks");
        }
    }

    /** Whether {@code server} must not be used. */
    boolean excludes(int server) {
        for (int excluded : excludedServers) {
            if (excluded == server) {
                return true;
            }
        }
        return false;
    }
}
