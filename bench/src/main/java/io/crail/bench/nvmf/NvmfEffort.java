// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.measure.WarmUp;
import java.time.Duration;
import java.util.List;

/**
 * How long to measure.
 *
 * @param batches of the limit and of crail, in turn
 * @param batchTime of each
 * @param roundTrips of the ping-pong in a batch
 * @param warmUp before the first batch
 * @param mostWarmUp it takes longer while compilers are busy, but not longer than this
 */
record NvmfEffort(
        int batches, Duration batchTime, int roundTrips, Duration warmUp, Duration mostWarmUp) {
    /** For figures: all rows in about five minutes. */
    static final NvmfEffort FULL =
            new NvmfEffort(
                    7,
                    Duration.ofMillis(800),
                    2_000,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(15));

    /** To see that it works: figures of so little are worth little. */
    static final NvmfEffort QUICK =
            new NvmfEffort(
                    3, Duration.ofMillis(50), 100, Duration.ofMillis(200), Duration.ofMillis(200));

    static NvmfEffort of(boolean quick) {
        return quick ? QUICK : FULL;
    }

    NvmfEffort withBatches(int number) {
        return new NvmfEffort(number, batchTime, roundTrips, warmUp, mostWarmUp);
    }

    WarmUp warmUp(List<ProcessHandle> others) {
        return WarmUp.with(warmUp, mostWarmUp, others);
    }
}
