// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.cli.terminal.Json;
import io.crail.protocol.config.ByteSize;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one step has measured: a row of the report.
 *
 * @param operation what was done
 * @param amount how much, for a person
 * @param nanos how long it took altogether
 * @param kind what the compared numbers are
 * @param comparison crail's numbers and the machine's; null = only the time matters
 */
record Measurement(
        String operation, String amount, long nanos, Kind kind, @Nullable Comparison comparison) {
    /** What is measured. */
    enum Kind {
        /** Bytes per second: more is better. */
        THROUGHPUT("bytesPerSecond", "limitBytesPerSecond"),
        /** Nanoseconds per operation: less is better. */
        LATENCY("nanosPerOperation", "limitNanosPerOperation"),
        /** Things per second: more is better. */
        COUNT("perSecond", "limitPerSecond"),
        /** Only the time that it took. */
        TIME("", "");

        private final String unit;
        private final String unitOfLimit;

        Kind(String unit, String unitOfLimit) {
            this.unit = unit;
            this.unitOfLimit = unitOfLimit;
        }
    }

    static Measurement time(String operation, String amount, long nanos) {
        return new Measurement(operation, amount, nanos, Kind.TIME, null);
    }

    static double perSecond(long amount, long nanos) {
        return amount * 1e9 / Math.max(nanos, 1);
    }

    String time() {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    String rate() {
        return comparison == null ? "" : show(comparison.value());
    }

    String limit() {
        return comparison == null ? "" : show(comparison.limit());
    }

    String limitName() {
        return comparison == null ? "" : comparison.limitName();
    }

    /** What crail has in terms of the limit, with a mark if that is void. */
    String ratio() {
        return comparison == null
                ? ""
                : String.format(Locale.ROOT, "%.2f%s", comparison.ratio(), unsteady() ? "*" : " ");
    }

    String range() {
        return comparison == null || comparison.size() < 2
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.2f .. %.2f",
                        comparison.lowestRatio(),
                        comparison.highestRatio());
    }

    boolean unsteady() {
        return comparison != null && comparison.unsteady();
    }

    private String show(double number) {
        return switch (kind) {
            case THROUGHPUT -> String.format(Locale.ROOT, "%,.0f MiB/s", number / (1 << 20));
            case LATENCY -> String.format(Locale.ROOT, "%,.1f us", number / 1e3);
            case COUNT -> String.format(Locale.ROOT, "%,.0f /s", number);
            case TIME -> "";
        };
    }

    static String size(long bytes) {
        return new ByteSize(bytes).rounded();
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json =
                Json.object("operation", operation, "amount", amount, "seconds", nanos / 1e9);
        if (comparison != null) {
            json.put(kind.unit, comparison.value());
            json.put("limit", comparison.limitName());
            json.put(kind.unitOfLimit, comparison.limit());
            json.put("ratio", comparison.ratio());
            json.put("ratioLowest", comparison.lowestRatio());
            json.put("ratioHighest", comparison.highestRatio());
            json.put("batches", comparison.size());
            json.put("steady", !comparison.unsteady());
        }
        return json;
    }
}
