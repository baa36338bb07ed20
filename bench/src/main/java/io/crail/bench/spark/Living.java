// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/** How long the applications of a row live. */
enum Living {
    /** Both for the whole row: one sleeps while the other is measured. */
    TOGETHER,

    /** Both for one pair of rounds, which are the first ones they do. */
    ONE_ROUND,

    /**
     * One for some rounds, then the other: for rows of which two applications need more memory than
     * there is.
     */
    IN_TURN
}
