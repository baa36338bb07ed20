// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** How servers of one storage class are chosen. */
public enum PlacementPolicy {
    /** One after the other. */
    ROUND_ROBIN,
    RANDOM,
    /** The client's own host, then its location class, then any. */
    LOCAL_FIRST
}
