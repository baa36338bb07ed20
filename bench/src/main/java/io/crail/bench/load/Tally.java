// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.Histogram;
import io.crail.error.InternalException;

/**
 * What was done in a batch.
 *
 * @param operations how many
 * @param perSecond how many in a second
 * @param times of single ones, as far as they can be told apart
 */
public record Tally(long operations, double perSecond, Histogram times) {
    /** What two clients did at the same time. */
    Tally and(Tally other) {
        Histogram all = new Histogram();
        all.add(times);
        all.add(other.times);
        return new Tally(operations + other.operations, perSecond + other.perSecond, all);
    }

    /** As words for another process: {@link #parse} reads them. */
    public String text() {
        return operations + " " + perSecond + " " + times;
    }

    /**
     * Reads {@link #text}.
     *
     * @throws InternalException if it is nothing of that kind
     */
    public static Tally parse(String text) throws InternalException {
        String[] words = text.split(" ", -1);
        try {
            if (words.length == 3) {
                return new Tally(
                        Long.parseLong(words[0]),
                        Double.parseDouble(words[1]),
                        Histogram.parse(words[2]));
            }
        } catch (IllegalArgumentException e) {
            throw new InternalException("a client of the benchmark says '" + text + "'", e);
        }
        throw new InternalException("a client of the benchmark says '" + text + "'");
    }
}
