// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of all metrics at one moment. Made anew for each request and not thread-safe; a metric
 * without a value is not shown.
 */
public final class Scrape {
    /** More values than any server has: beyond, somebody else chooses the labels. */
    private static final int MAX_VALUES = 4096;

    /** One value, or one histogram. */
    record Sample(List<String> labels, double value, Latencies.Total durations) {}

    private static final Latencies.Total NONE = new Latencies.Total();

    private final Map<Metric, List<Sample>> samples = new LinkedHashMap<>();
    private int size;

    /** A counter or a gauge; label values in the order of the labels. */
    public void value(Metric metric, double value, String... labels) {
        add(metric, new Sample(List.of(labels), value, NONE));
    }

    /** As {@link #value(Metric, double, String...)}; Prometheus knows nothing but doubles. */
    public void value(Metric metric, long value, String... labels) {
        value(metric, (double) value, labels);
    }

    /** A flag: 1 if it holds. */
    public void flag(Metric metric, boolean holds) {
        value(metric, holds ? 1L : 0L);
    }

    /** A histogram. */
    public void durations(Metric metric, Latencies.Total durations, String... labels) {
        add(metric, new Sample(List.of(labels), 0, durations));
    }

    private void add(Metric metric, Sample sample) {
        if (sample.labels().size() != metric.labels().size()) {
            throw new IllegalArgumentException(
                    metric.name() + metric.labels() + " with the values " + sample.labels());
        }
        if (size++ >= MAX_VALUES) {
            throw new IllegalStateException("more than " + MAX_VALUES + " values");
        }
        samples.computeIfAbsent(metric, key -> new ArrayList<>()).add(sample);
    }

    Map<Metric, List<Sample>> samples() {
        return samples;
    }

    /** Prometheus' text format, version 0.0.4. */
    byte[] text() {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        samples.forEach((metric, all) -> snapshots.add(snapshot(metric, all)));
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 << 10);
        try {
            PrometheusTextFormatWriter.create()
                    .write(out, new MetricSnapshots(snapshots), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new AssertionError("memory does not fail to be written", e);
        }
        return out.toByteArray();
    }

    private static MetricSnapshot snapshot(Metric metric, List<Sample> all) {
        String name = metric.name();
        return switch (metric.kind()) {
            case COUNTER ->
                    new CounterSnapshot(
                            metadata(
                                    metric,
                                    name.substring(0, name.length() - Metric.TOTAL.length())),
                            all.stream()
                                    .map(
                                            one ->
                                                    new CounterDataPointSnapshot(
                                                            one.value(),
                                                            labels(metric, one),
                                                            null,
                                                            0L))
                                    .toList());
            case GAUGE ->
                    new GaugeSnapshot(
                            metadata(metric, name),
                            all.stream()
                                    .map(
                                            one ->
                                                    new GaugeDataPointSnapshot(
                                                            one.value(), labels(metric, one), null))
                                    .toList());
            case HISTOGRAM ->
                    new HistogramSnapshot(
                            metadata(metric, name),
                            all.stream().map(one -> histogram(metric, one)).toList());
        };
    }

    private static HistogramDataPointSnapshot histogram(Metric metric, Sample sample) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long[] counts = sample.durations().counts();
        for (int i = 0; i < counts.length; i++) {
            boolean last = i == counts.length - 1;
            buckets.bucket(last ? Double.POSITIVE_INFINITY : Latencies.bound(i) / 1e9, counts[i]);
        }
        return HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(buckets.build())
                .sum(sample.durations().sumSeconds())
                .labels(labels(metric, sample))
                .build();
    }

    private static MetricMetadata metadata(Metric metric, String name) {
        return new MetricMetadata(name, metric.help());
    }

    private static Labels labels(Metric metric, Sample sample) {
        return Labels.of(metric.labels(), sample.labels());
    }

    /** One JSON object; see docs/operations.md. */
    String json(String role, String version) {
        return new StatusJson().write(role, version, samples);
    }
}
