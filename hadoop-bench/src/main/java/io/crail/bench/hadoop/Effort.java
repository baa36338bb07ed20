// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import java.time.Duration;

/**
 * How long to measure.
 *
 * @param batches of each of the two that are compared, in turn
 * @param batchTime of a batch; an operation that takes longer is a batch
 * @param warmUp of each of the two before the first batch
 * @param entries of a directory that is listed
 * @param fileBytes of large files
 * @param streamBytes of the files of the overhead of streams
 * @param ranges of a vectored read
 */
record Effort(
        int batches,
        Duration batchTime,
        Duration warmUp,
        int entries,
        long fileBytes,
        long streamBytes,
        int ranges) {
    private static final Effort FULL =
            new Effort(
                    7,
                    Duration.ofMillis(300),
                    Duration.ofMillis(2_000),
                    100_000,
                    1L << 30,
                    256L << 20,
                    1_000);

    private static final Effort QUICK =
            new Effort(
                    3,
                    Duration.ofMillis(40),
                    Duration.ofMillis(200),
                    500,
                    16L << 20,
                    16L << 20,
                    100);

    static Effort of(boolean quick) {
        return quick ? QUICK : FULL;
    }
}
