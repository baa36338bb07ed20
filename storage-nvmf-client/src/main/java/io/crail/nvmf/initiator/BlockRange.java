// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

/**
 * Logical blocks of a namespace.
 *
 * @param first number of the first one
 * @param count at least 1
 */
public record BlockRange(long first, long count) {
    public BlockRange {
        if (first < 0 || count < 1 || first > Long.MAX_VALUE - count) {
            throw new IllegalArgumentException(count + " blocks from " + first + " are no range");
        }
    }

    /** Number of the block behind the last one. */
    public long end() {
        return first + count;
    }
}
