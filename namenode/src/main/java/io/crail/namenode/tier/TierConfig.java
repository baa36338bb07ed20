// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.error.InvalidArgumentException;
import java.time.Duration;

/**
 * When nodes move between storage classes.
 *
 * @param highPercent use of a class from which on cold nodes are moved out of it
 * @param lowPercent use down to which that goes on, and up to which hot nodes are moved into it
 * @param idle what was used less than so long ago is not cold
 * @param promoteReads so many reads make a node hot
 */
public record TierConfig(int highPercent, int lowPercent, Duration idle, int promoteReads) {
    public static final TierConfig DEFAULT = new TierConfig(85, 75, Duration.ofSeconds(60), 3);

    /**
     * Checks all values together.
     *
     * @throws InvalidArgumentException naming the key that is wrong
     */
    public void check() throws InvalidArgumentException {
        checkMarks(highPercent, lowPercent);
        if (idle.isNegative() || promoteReads < 1) {
            throw new InvalidArgumentException(
                    "namenode.tier.idle-time must not be negative, and namenode.tier.promote-reads"
                            + " be 1 or more");
        }
    }

    /** Without a gap between the marks, nodes would go back and forth. */
    public static void checkMarks(int high, int low) throws InvalidArgumentException {
        if (high < 1 || high > 100 || low < 0 || low >= high) {
            throw new InvalidArgumentException(
                    "water marks of "
                            + high
                            + " % and "
                            + low
                            + " %: the high one must be 1 to 100, and the low one below it");
        }
    }
}
