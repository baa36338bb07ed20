// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of metrics in Prometheus' text format, version 0.0.4. Immutable. Lines that it does not
 * know are passed over: a newer server may say more.
 */
final class MetricText {
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** One value. */
    record Value(Map<String, String> labels, double number) {}

    private final Map<String, List<Value>> values = new HashMap<>();

    private MetricText() {}

    static MetricText parse(String text) {
        MetricText metrics = new MetricText();
        text.lines().filter(line -> !line.startsWith("#")).forEach(metrics::line);
        return metrics;
    }

    private void line(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return;
        }
        try {
            double number = number(matcher.group(3));
            Map<String, String> labels = new TreeMap<>();
            if (matcher.group(2) != null) {
                Matcher label = LABEL.matcher(matcher.group(2));
                while (label.find()) {
                    labels.put(label.group(1), label.group(2));
                }
            }
            values.computeIfAbsent(matcher.group(1), key -> new ArrayList<>())
                    .add(new Value(labels, number));
        } catch (NumberFormatException e) {
            return; // Not of this format.
        }
    }

    private static double number(String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    /** All values of a metric. */
    List<Value> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The value of a metric with exactly this label, or without labels if both are empty. */
    OptionalDouble value(String name, String label, String word) {
        Map<String, String> wanted = label.isEmpty() ? Map.of() : Map.of(label, word);
        return all(name).stream()
                .filter(value -> value.labels().equals(wanted))
                .mapToDouble(Value::number)
                .findFirst();
    }

    OptionalDouble value(String name) {
        return value(name, "", "");
    }

    /** Buckets of a histogram by upper bound, cumulative, of one label. */
    SortedMap<Double, Double> buckets(String name, String label, String word) {
        SortedMap<Double, Double> buckets = new TreeMap<>();
        for (Value value : all(name + "_bucket")) {
            String bound = value.labels().get("le");
            if (word.equals(value.labels().get(label)) && bound != null) {
                buckets.put(number(bound), value.number());
            }
        }
        return buckets;
    }
}
