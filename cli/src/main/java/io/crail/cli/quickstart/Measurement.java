// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.terminal.Json;
import io.crail.protocol.config.ByteSize;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one step has measured: a rate, or the median time of one operation.
 *
 * @param operation what was done
 * @param amount how much, for a person
 * @param nanos how long it took altogether
 * @param value per second, or nanoseconds per operation; 0 = nothing to compare
 * @param kind what the value is
 * @param limit the same of the machine itself; 0 = none
 */
record Measurement(
        String operation, String amount, long nanos, double value, Kind kind, double limit) {
    /** What is measured. */
    enum Kind {
        /** Bytes per second: more is better. */
        THROUGHPUT("bytes/s"),
        /** Nanoseconds per operation: less is better. */
        LATENCY("ns, median"),
        /** Things per second, for things that cost a few round trips each: more is better. */
        COUNT("1/s"),
        /** Only the time that it took. */
        TIME("");

        private final String unit;

        Kind(String unit) {
            this.unit = unit;
        }
    }

    static Measurement time(String operation, String amount, long nanos) {
        return new Measurement(operation, amount, nanos, 0, Kind.TIME, 0);
    }

    static Measurement throughput(
            String operation, String amount, long bytes, long nanos, double limit) {
        double rate = bytes * 1e9 / Math.max(nanos, 1);
        return new Measurement(operation, amount, nanos, rate, Kind.THROUGHPUT, limit);
    }

    /** Compared with as many single round trips one after another. */
    static Measurement count(
            String operation, String amount, long count, long nanos, double roundTripNanos) {
        double rate = count * 1e9 / Math.max(nanos, 1);
        return new Measurement(operation, amount, nanos, rate, Kind.COUNT, 1e9 / roundTripNanos);
    }

    static Measurement latency(String operation, Latencies latencies, double limit) {
        return new Measurement(
                operation,
                String.format(Locale.ROOT, "%,d", latencies.count()),
                latencies.total(),
                latencies.median(),
                Kind.LATENCY,
                limit);
    }

    String time() {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    String rate() {
        return show(value);
    }

    String limitText() {
        return limit == 0 ? "" : show(limit);
    }

    /** What we have in terms of the limit. */
    String ratio() {
        return limit == 0 ? "" : String.format(Locale.ROOT, "%.2f", value / limit);
    }

    private String show(double number) {
        return switch (kind) {
            case THROUGHPUT -> mebibytes(number);
            case LATENCY -> String.format(Locale.ROOT, "%.1f us", number / 1e3);
            case COUNT -> String.format(Locale.ROOT, "%,.0f /s", number);
            case TIME -> "";
        };
    }

    static String mebibytes(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%,.0f MiB/s", bytesPerSecond / (1 << 20));
    }

    static String size(long bytes) {
        return new ByteSize(bytes).rounded();
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json =
                Json.object("operation", operation, "amount", amount, "seconds", nanos / 1e9);
        if (kind != Kind.TIME) {
            json.put("unit", kind.unit);
            json.put("value", value);
            json.put("limit", limit);
            json.put("ratio", value / limit);
        }
        return json;
    }
}
