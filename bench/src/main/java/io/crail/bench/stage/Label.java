// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Comparison;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a result is about.
 *
 * @param row name of the row in the table of targets
 * @param setting what tells results of one row apart: cores, depth, checksums
 * @param unit of value and limit
 * @param limit what the machine does
 * @param target what the ratio shall be, null = it is only shown
 */
public record Label(
        String row, String setting, String unit, String limit, @Nullable Target target) {
    /** Microseconds of the median of single operations. */
    public static final String MICROS = "us";

    public static final String GIGABYTES = "GB/s";
    public static final String PER_SECOND = "1/s";

    /** The same row in a setting that has something more. */
    Label and(String more) {
        return new Label(
                row, setting.isEmpty() ? more : setting + ", " + more, unit, limit, target);
    }

    /** What a target bounds. */
    public enum Bounded {
        /** The median of the ratios of the pairs. */
        RATIO,
        /**
         * The same, of a limit that is another program and never steady: the row counts all the
         * same if each single pair says the same.
         */
        FACTOR,
        /** The value itself. */
        VALUE,
        /** The median of what crail has more than the limit, pair by pair. */
        DIFFERENCE
    }

    /**
     * A bound of a result.
     *
     * @param bound the bound
     * @param atMost whether less is better
     * @param of what is meant
     */
    public record Target(double bound, boolean atMost, Bounded of) {
        public static Target atMost(double ratio) {
            return new Target(ratio, true, Bounded.RATIO);
        }

        public static Target atLeast(double ratio) {
            return new Target(ratio, false, Bounded.RATIO);
        }

        public static Target factorAtLeast(double ratio) {
            return new Target(ratio, false, Bounded.FACTOR);
        }

        public static Target valueAtLeast(double value) {
            return new Target(value, false, Bounded.VALUE);
        }

        public static Target valueAtMost(double value) {
            return new Target(value, true, Bounded.VALUE);
        }

        public static Target moreAtMost(double difference) {
            return new Target(difference, true, Bounded.DIFFERENCE);
        }

        /** Whether it is reached. */
        public boolean met(Comparison measured) {
            return met(
                    switch (of) {
                        case RATIO, FACTOR -> measured.ratio();
                        case VALUE -> measured.value();
                        case DIFFERENCE -> measured.difference();
                    });
        }

        private boolean met(double seen) {
            return atMost ? seen <= bound : seen >= bound;
        }

        /** Whether an unsteady limit does not matter. */
        boolean isClear(Comparison measured) {
            return of == Bounded.FACTOR
                    && met(measured.lowestRatio()) == met(measured.highestRatio());
        }

        @Override
        public String toString() {
            String number =
                    bound >= 1000
                            ? String.format(Locale.ROOT, "%,.0f", bound)
                            : String.format(Locale.ROOT, "%.2f", bound);
            String text = (atMost ? "<= " : ">= ") + number;
            return of == Bounded.DIFFERENCE ? text + " more" : text;
        }
    }
}
