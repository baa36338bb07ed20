// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/**
 * How much is done for a row.
 *
 * @param pairs of warm rounds, vanilla and crail
 * @param coldPairs of new applications
 * @param warmUps rounds of each application before its first that counts, at least
 * @param leastWarmUpNanos time that they take at least
 * @param mostWarmUpNanos time after which none begins that is not one of these, though the
 *     application still becomes faster ({@link Settling})
 * @param others rounds of what is not compared in pairs: vanilla on disk, and with more memory
 * @param withMemory whether vanilla is measured with the memory of the store, too
 */
public record SparkEffort(
        int pairs,
        int coldPairs,
        int warmUps,
        long leastWarmUpNanos,
        long mostWarmUpNanos,
        int others,
        boolean withMemory) {
    private static final long SECOND = 1_000_000_000L;

    /** For figures. */
    public static final SparkEffort FULL =
            new SparkEffort(10, 5, 3, 6 * SECOND, 60 * SECOND, 5, true);

    /** To see that it works. */
    public static final SparkEffort QUICK = new SparkEffort(3, 1, 1, 0, 0, 1, false);

    /** For figures that take no longer than a minute for a row. */
    public static final SparkEffort LAPTOP = new SparkEffort(5, 1, 3, 0, 0, 5, false);

    /** With another number of pairs. */
    public SparkEffort withPairs(int number) {
        return new SparkEffort(
                number,
                Math.min(number, coldPairs),
                warmUps,
                leastWarmUpNanos,
                mostWarmUpNanos,
                others,
                withMemory);
    }
}
