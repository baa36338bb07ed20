// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

/** A segment as the namenode must know it. Thread-safe. */
public interface TierSegment {
    int number();

    int incarnation();

    /** Bytes of data, a multiple of the slab size. */
    long dataBytes();

    /**
     * The counters (lower halves of the generations) of all slots, as they are now. A block whose
     * revocation is under way still shows its old counter: a new one would tell the namenode that
     * the block is free while somebody may still touch it.
     */
    int[] counters();
}
