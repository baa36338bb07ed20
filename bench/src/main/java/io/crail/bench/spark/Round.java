// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/**
 * What an application says of a job that it did.
 *
 * @param nanos the time from its first to its last task, with all that Spark does around them
 * @param digest of its result, the same for all that did the same job
 */
public record Round(long nanos, long digest) {
    private static final int RADIX = 16;

    /** What {@link #parse} reads. */
    public String text() {
        return nanos + " " + Long.toHexString(digest);
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if that is none
     */
    public static Round parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("no round: " + text);
        }
        return new Round(Long.parseLong(words[0]), Long.parseUnsignedLong(words[1], RADIX));
    }
}
