// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** How servers of one storage class are chosen. */
public enum PlacementPolicy {
    /** One after the other. */
    ROUND_ROBIN,
    RANDOM,
    /**
     * The client's own host, then its location class, then those that agree up to the first slash,
     * then any; each until it is full.
     */
    LOCAL_FIRST
}
