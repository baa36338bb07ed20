// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.error.CrailException;

/**
 * Makes the server half of one tier. Found by {@link java.util.ServiceLoader}; implementations have
 * a public constructor without arguments, no state, and are thread-safe.
 */
public interface StorageTierProvider {
    /** The tier's name, as the configuration and the server table spell it: "dram". */
    String name();

    /**
     * Opens the tier: takes its resources and binds its endpoints, so that they can be announced.
     * Clients are not served before {@link StorageTier#admit}.
     *
     * @throws CrailException if the settings are impossible or a resource is not to be had
     */
    StorageTier open(TierContext context) throws CrailException;
}
