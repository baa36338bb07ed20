// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.protocol.block.GrantSeal;
import java.util.UUID;

/**
 * What a tier must know to tell good tickets and references from bad ones.
 *
 * @param cluster the cluster's id
 * @param server the id the namenode gave this server
 * @param key the key of the seal, shared with the namenode; never logged
 * @param seal the seal under that key
 * @param epoch the namenode's epoch, for hellos
 */
public record Admission(UUID cluster, int server, SealKey key, GrantSeal seal, long epoch) {
    public Admission(UUID cluster, int server, byte[] key, long epoch) {
        this(cluster, server, new SealKey(key), new GrantSeal(key), epoch);
    }

    /** Whether references sealed under {@code other} are good here. */
    public boolean acceptsGrantsOf(Admission other) {
        return cluster.equals(other.cluster) && server == other.server && key.equals(other.key);
    }
}
