// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

/**
 * A counter as it is stored in a namespace at a target that knows no blocks: less 1, with the
 * highest bit set while the block is in quarantine, that is, was not reported as freed. A block
 * that changes hands once a second needs 68 years for the other 31 bits. Stateless.
 */
public final class StoredCounter {
    private static final int HELD = 1 << 31;

    private StoredCounter() {}

    public static int of(int counter, boolean held) {
        return ((counter - 1) & ~HELD) | (held ? HELD : 0);
    }

    public static int counter(int stored) {
        return (stored & ~HELD) + 1;
    }

    public static boolean isHeld(int stored) {
        return (stored & HELD) != 0;
    }
}
