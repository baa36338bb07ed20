// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import java.time.Duration;

/**
 * How long to measure. Both have a bound: a batch has a number of operations or a time.
 *
 * @param batches of the limit and of crail, in turn
 * @param roundTrips single operations of a batch, of which the median is taken
 * @param batchTime of a batch that counts what it can do in a time
 * @param batchBytes of a batch of sequential reads or writes
 * @param warmUp before the first batch
 * @param longWarmUp the same of operations that are large, so that code runs seldom and is compiled
 *     late
 * @param mostWarmUp both take longer while compilers are busy, but not longer than this
 * @param nodes among which random lookups choose
 */
public record Effort(
        int batches,
        int roundTrips,
        Duration batchTime,
        int batchBytes,
        Duration warmUp,
        Duration longWarmUp,
        Duration mostWarmUp,
        int nodes) {
    /** For figures: all rows in about four minutes. */
    public static final Effort FULL =
            new Effort(
                    7,
                    2_000,
                    Duration.ofMillis(300),
                    144 << 20,
                    Duration.ofMillis(1_500),
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(15),
                    100_000);

    /** To see that it works: figures of so little are worth little. */
    public static final Effort QUICK =
            new Effort(
                    3,
                    300,
                    Duration.ofMillis(50),
                    16 << 20,
                    Duration.ofMillis(300),
                    Duration.ofMillis(300),
                    Duration.ofMillis(300),
                    2_000);

    /** Bytes of all batches: what a file has that each part of is used once. */
    int totalBytes() {
        return batches * batchBytes;
    }
}
