// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import java.util.List;

/**
 * What processes that map the segments hold of them: blocks they read or write at this moment
 * without asking anybody. Thread-safe.
 */
public interface Pins {
    /** Nobody maps anything. */
    Pins NONE =
            new Pins() {
                @Override
                public boolean isPinned(int segment, int slot, long generation) {
                    return false;
                }

                @Override
                public List<Pin> all(int segment) {
                    return List.of();
                }
            };

    /** A block that is held under a generation. */
    record Pin(int slot, long generation) {}

    /**
     * Whether somebody may hold the block at {@code slot} under {@code generation}. Says "no" for
     * certain only to a caller that raised the generation word and executed a full fence before.
     */
    boolean isPinned(int segment, int slot, long generation);

    /** All pins in a segment. */
    List<Pin> all(int segment);
}
