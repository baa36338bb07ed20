// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * What happened between two snapshots. Immutable. A rate that is not known is absent: without a
 * page, or when a counter has gone back because its server was started again.
 *
 * @param seconds between them
 * @param now the later one
 * @param calls of the namenode by type, most frequent first
 * @param received bytes per second that the namenode got
 * @param sent and sent
 * @param connections of the namenode
 * @param servers storage servers in the order of their ids
 */
record Activity(
        double seconds,
        Snapshot now,
        List<Calls> calls,
        OptionalDouble received,
        OptionalDouble sent,
        OptionalDouble connections,
        List<Server> servers) {
    /**
     * Requests of one type.
     *
     * @param type as metrics name it
     * @param perSecond how many
     * @param p50 median time in the engine in seconds, of those that were timed; absent if none was
     * @param p99 99th percentile
     */
    record Calls(String type, double perSecond, OptionalDouble p50, OptionalDouble p99) {}

    /**
     * A storage server.
     *
     * @param known what the namenode knows of it
     * @param in bytes per second written by way of the server
     * @param out and read
     * @param requests per second to the server
     * @param pins blocks that processes of its host hold
     * @param failure why there are no rates; empty if there are
     */
    record Server(
            Statistics.ServerCapacity known,
            OptionalDouble in,
            OptionalDouble out,
            OptionalDouble requests,
            OptionalDouble pins,
            String failure) {}

    static Activity between(Snapshot before, Snapshot now) {
        double seconds = Math.max(1e-9, (now.nanos() - before.nanos()) / 1e9);
        Optional<MetricText> old = before.namenode().metrics();
        Optional<MetricText> fresh = now.namenode().metrics();
        List<Server> servers = new ArrayList<>();
        now.statistics()
                .ifPresent(
                        all -> all.servers().forEach(one -> servers.add(server(before, now, one))));
        return new Activity(
                seconds,
                now,
                calls(old, fresh, seconds),
                rate(old, fresh, "crail_namenode_received_bytes_total", "", seconds),
                rate(old, fresh, "crail_namenode_sent_bytes_total", "", seconds),
                fresh.map(all -> all.value("crail_namenode_connections"))
                        .orElse(OptionalDouble.empty()),
                List.copyOf(servers));
    }

    private static Server server(Snapshot before, Snapshot now, Statistics.ServerCapacity known) {
        Snapshot.Page missing = Snapshot.Page.missing("not asked");
        Optional<MetricText> old = before.servers().getOrDefault(known.id(), missing).metrics();
        Snapshot.Page page = now.servers().getOrDefault(known.id(), missing);
        Optional<MetricText> fresh = page.metrics();
        double seconds = Math.max(1e-9, (now.nanos() - before.nanos()) / 1e9);
        OptionalDouble reads = rate(old, fresh, "crail_storage_requests_total", "read", seconds);
        OptionalDouble writes = rate(old, fresh, "crail_storage_requests_total", "write", seconds);
        return new Server(
                known,
                rate(old, fresh, "crail_storage_written_bytes_total", "", seconds),
                rate(old, fresh, "crail_storage_read_bytes_total", "", seconds),
                reads.isEmpty() || writes.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(reads.getAsDouble() + writes.getAsDouble()),
                fresh.map(all -> all.value("crail_storage_pins")).orElse(OptionalDouble.empty()),
                page.failure());
    }

    private static OptionalDouble rate(
            Optional<MetricText> old,
            Optional<MetricText> fresh,
            String name,
            String type,
            double seconds) {
        if (old.isEmpty() || fresh.isEmpty()) {
            return OptionalDouble.empty();
        }
        String label = type.isEmpty() ? "" : "type";
        OptionalDouble after = fresh.get().value(name, label, type);
        double from = old.get().value(name, label, type).orElse(0);
        return after.isEmpty() || after.getAsDouble() < from
                ? OptionalDouble.empty()
                : OptionalDouble.of((after.getAsDouble() - from) / seconds);
    }

    private static List<Calls> calls(
            Optional<MetricText> old, Optional<MetricText> fresh, double seconds) {
        List<Calls> calls = new ArrayList<>();
        if (old.isEmpty() || fresh.isEmpty()) {
            return calls;
        }
        for (MetricText.Value value : fresh.get().all("crail_namenode_requests_total")) {
            String type = value.labels().getOrDefault("type", "");
            rate(old, fresh, "crail_namenode_requests_total", type, seconds)
                    .ifPresent(rate -> calls.add(calls(old.get(), fresh.get(), type, rate)));
        }
        calls.sort(
                Comparator.comparingDouble(Calls::perSecond).reversed().thenComparing(Calls::type));
        return List.copyOf(calls);
    }

    private static Calls calls(MetricText old, MetricText fresh, String type, double rate) {
        String name = "crail_namenode_request_duration_seconds";
        SortedMap<Double, Double> change = fresh.buckets(name, "type", type);
        old.buckets(name, "type", type)
                .forEach((bound, count) -> change.merge(bound, -count, Double::sum));
        return new Calls(type, rate, quantile(change, 0.5), quantile(change, 0.99));
    }

    /**
     * The value below which so many of the counted ones are, if each bucket is filled evenly;
     * absent if nothing was counted. What is above all bounds counts as the highest of them.
     *
     * @param buckets cumulative counts by upper bound, the last one infinite
     */
    static OptionalDouble quantile(SortedMap<Double, Double> buckets, double part) {
        double all = buckets.isEmpty() ? 0 : buckets.getOrDefault(buckets.lastKey(), 0.0);
        if (all <= 0) {
            return OptionalDouble.empty();
        }
        double wanted = part * all;
        double lower = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            double bound = bucket.getKey();
            double count = bucket.getValue();
            if (count >= wanted && count > below) {
                return OptionalDouble.of(
                        Double.isInfinite(bound)
                                ? lower
                                : lower + (bound - lower) * (wanted - below) / (count - below));
            }
            lower = Double.isInfinite(bound) ? lower : bound;
            below = Math.max(below, count);
        }
        return OptionalDouble.of(lower);
    }
}
