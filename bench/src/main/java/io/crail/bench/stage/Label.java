// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

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

    /**
     * A bound of the ratio, or of the value itself.
     *
     * @param bound the bound
     * @param atMost whether less is better
     * @param ofValue whether the value is meant, not the ratio
     */
    public record Target(double bound, boolean atMost, boolean ofValue) {
        public static Target atMost(double ratio) {
            return new Target(ratio, true, false);
        }

        public static Target atLeast(double ratio) {
            return new Target(ratio, false, false);
        }

        public static Target valueAtLeast(double value) {
            return new Target(value, false, true);
        }

        public static Target valueAtMost(double value) {
            return new Target(value, true, true);
        }

        /** Whether it is reached. */
        public boolean met(double value, double ratio) {
            double seen = ofValue ? value : ratio;
            return atMost ? seen <= bound : seen >= bound;
        }

        @Override
        public String toString() {
            String number =
                    bound >= 1000
                            ? String.format(Locale.ROOT, "%,.0f", bound)
                            : String.format(Locale.ROOT, "%.2f", bound);
            return (atMost ? "<= " : ">= ") + number;
        }
    }
}
