// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import io.crail.status.Scrape.Sample;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes a scrape as JSON (RFC 8259): metrics by name, each a list of values with labels. */
final class StatusJson {
    private final StringBuilder out = new StringBuilder(8 << 10);

    String write(String role, String version, Map<Metric, List<Sample>> samples) {
        out.append("{\"role\":");
        text(role);
        out.append(",\"version\":");
        text(version);
        out.append(",\"metrics\":{");
        String separator = "";
        for (Map.Entry<Metric, List<Sample>> each : samples.entrySet()) {
            out.append(separator);
            separator = ",";
            text(each.getKey().name());
            out.append(':');
            values(each.getKey(), each.getValue());
        }
        return out.append("}}\n").toString();
    }

    private void values(Metric metric, List<Sample> samples) {
        out.append('[');
        String separator = "";
        for (Sample sample : samples) {
            out.append(separator).append('{');
            separator = ",";
            labels(metric, sample);
            if (metric.kind() == Metric.Kind.HISTOGRAM) {
                histogram(sample.durations());
            } else {
                out.append("\"value\":");
                number(sample.value());
            }
            out.append('}');
        }
        out.append(']');
    }

    private void labels(Metric metric, Sample sample) {
        if (metric.labels().isEmpty()) {
            return;
        }
        out.append("\"labels\":{");
        Iterator<String> values = sample.labels().iterator();
        String separator = "";
        for (String label : metric.labels()) {
            out.append(separator);
            separator = ",";
            text(label);
            out.append(':');
            text(values.next());
        }
        out.append("},");
    }

    /** Buckets are not cumulative here; empty ones are left out, "le" is in seconds. */
    private void histogram(Latencies.Total durations) {
        long[] counts = durations.counts();
        long count = 0;
        out.append("\"buckets\":[");
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 0) {
                continue;
            }
            out.append(count == 0 ? "" : ",").append("{\"le\":");
            if (i == counts.length - 1) {
                out.append("null");
            } else {
                number(Latencies.bound(i) / 1e9);
            }
            out.append(",\"count\":").append(counts[i]).append('}');
            count += counts[i];
        }
        out.append("],\"count\":").append(count).append(",\"sum\":");
        number(durations.sumSeconds());
    }

    private void number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            out.append((long) value);
        } else {
            out.append(value);
        }
    }

    private void text(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
