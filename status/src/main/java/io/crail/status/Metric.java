// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import java.util.List;

/**
 * What is known of a metric before it has a value. Names are {@code
 * crail_<role>_<thing>_<unit>[_total]} in base units; a label has few values, which no user
 * chooses.
 *
 * @param name as Prometheus shows it; that of a counter ends in {@code _total}
 * @param kind what it measures
 * @param help one sentence
 * @param labels names of its labels
 */
public record Metric(String name, Kind kind, String help, List<String> labels) {
    /** What a metric measures. */
    public enum Kind {
        /** Only grows while the server lives. */
        COUNTER,
        /** Goes up and down. */
        GAUGE,
        /** Durations in the buckets of {@link Latencies}. */
        HISTOGRAM
    }

    static final String TOTAL = "_total";

    public Metric {
        labels = List.copyOf(labels);
        if (name.endsWith(TOTAL) != (kind == Kind.COUNTER)) {
            throw new IllegalArgumentException(name + ": counters, and only they, end in " + TOTAL);
        }
    }

    public static Metric counter(String name, String help, String... labels) {
        return new Metric(name, Kind.COUNTER, help, List.of(labels));
    }

    public static Metric gauge(String name, String help, String... labels) {
        return new Metric(name, Kind.GAUGE, help, List.of(labels));
    }

    public static Metric histogram(String name, String help, String... labels) {
        return new Metric(name, Kind.HISTOGRAM, help, List.of(labels));
    }
}
