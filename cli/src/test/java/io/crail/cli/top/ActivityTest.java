// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.crail.protocol.message.Statistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ActivityTest {
    static final Statistics.ServerCapacity SERVER =
            new Statistics.ServerCapacity(
                    4, 2, "h", 0, 100, 50, 0, 5, 10, 20, 5, 5, 10, "crail 1", "http://h:1");

    static Statistics.Reply statistics(Statistics.ServerCapacity... servers) {
        return new Statistics.Reply(
                7,
                61_000,
                1,
                2,
                3,
                4,
                5,
                1000,
                900,
                10,
                2048,
                false,
                List.of(),
                List.of(servers),
                new UUID(0x1234567800000000L, 2),
                1,
                6,
                8,
                "crail 1",
                "http://nn:1",
                0);
    }

    static Snapshot snapshot(long seconds, String namenode, String storage) {
        return new Snapshot(
                seconds * 1_000_000_000L,
                Optional.of(statistics(SERVER)),
                "",
                Snapshot.Page.of(MetricText.parse(namenode)),
                Map.of(4, Snapshot.Page.of(MetricText.parse(storage))));
    }

    private static String namenode(int gets, int fast, int slow) {
        String name = "crail_namenode_request_duration_seconds_bucket{type=\"get\",le=";
        return "# TYPE x counter\ncrail_namenode_requests_total{type=\"get\"} "
                + gets
                + "\ncrail_namenode_requests_total{type=\"put\"} 1\n"
                + name
                + "\"1.0E-6\"} "
                + fast
                + "\n"
                + name
                + "\"2.0E-6\"} "
                + (fast + slow)
                + "\n"
                + name
                + "\"+Inf\"} "
                + (fast + slow)
                + "\ncrail_namenode_received_bytes_total "
                + 100 * gets
                + "\ncrail_namenode_connections 3\n";
    }

    private static String storage(int written) {
        return "crail_storage_written_bytes_total "
                + written
                + "\ncrail_storage_read_bytes_total 0\n"
                + "crail_storage_requests_total{type=\"read\"} 0\n"
                + "crail_storage_requests_total{type=\"write\"} "
                + written / 10
                + "\ncrail_storage_pins 9\n";
    }

    @Test
    void ratesAreChangesOverTime() {
        Activity activity =
                Activity.between(
                        snapshot(10, namenode(100, 50, 0), storage(1000)),
                        snapshot(12, namenode(300, 70, 20), storage(5000)));
        assertThat(activity.seconds()).isEqualTo(2);
        assertThat(activity.calls()).extracting(Activity.Calls::type).containsExactly("get", "put");
        Activity.Calls gets = activity.calls().get(0);
        assertThat(gets.perSecond()).isEqualTo(100);
        assertThat(gets.p50().orElseThrow()).isCloseTo(1e-6, within(1e-9)); // Of 40, since then.
        assertThat(gets.p99().orElseThrow()).isBetween(1.9e-6, 2e-6);
        assertThat(activity.calls().get(1).perSecond()).isZero();
        assertThat(activity.calls().get(1).p50()).isEmpty();
        assertThat(activity.received().orElseThrow()).isEqualTo(10_000);
        assertThat(activity.connections().orElseThrow()).isEqualTo(3);
        assertThat(activity.sent()).isEmpty();
        Activity.Server server = activity.servers().get(0);
        assertThat(server.in().orElseThrow()).isEqualTo(2000);
        assertThat(server.out().orElseThrow()).isZero();
        assertThat(server.requests().orElseThrow()).isEqualTo(200);
        assertThat(server.pins().orElseThrow()).isEqualTo(9);
    }

    @Test
    void aServerThatWasStartedAgainHasNoRateOnce() {
        Activity activity =
                Activity.between(
                        snapshot(10, namenode(100, 1, 1), storage(1000)),
                        snapshot(11, namenode(5, 1, 1), storage(10)));
        assertThat(activity.servers().get(0).in()).isEmpty();
        assertThat(activity.received()).isEmpty();
        assertThat(activity.calls()).extracting(Activity.Calls::type).containsExactly("put");
    }

    @Test
    void aServerThatComesOrGoesHasNoRate() {
        Snapshot with = snapshot(10, namenode(1, 1, 1), storage(1000));
        Snapshot without =
                new Snapshot(
                        1,
                        Optional.of(statistics(SERVER)),
                        "",
                        Snapshot.Page.missing("away"),
                        Map.of());
        for (Activity each :
                List.of(Activity.between(with, without), Activity.between(without, with))) {
            assertThat(each.servers()).hasSize(1);
            assertThat(each.servers().get(0).in()).isEmpty();
            assertThat(each.calls()).isEmpty();
        }
        assertThat(Activity.between(with, without).servers().get(0).failure())
                .isEqualTo("not asked");
    }

    @Test
    void quantilesLieWithinTheirBuckets() {
        TreeMap<Double, Double> buckets =
                new TreeMap<>(
                        Map.of(1.0, 0.0, 2.0, 10.0, 5.0, 10.0, Double.POSITIVE_INFINITY, 11.0));
        assertThat(Activity.quantile(buckets, 0.5).orElseThrow()).isBetween(1.5, 1.6);
        assertThat(Activity.quantile(buckets, 0.99).orElseThrow()).isEqualTo(5); // At least.
        assertThat(Activity.quantile(new TreeMap<>(), 0.5)).isEmpty();
        assertThat(Activity.quantile(new TreeMap<>(Map.of(1.0, 0.0)), 0.5)).isEmpty();
        assertThat(Activity.quantile(new TreeMap<>(Map.of(1.0, -3.0)), 0.5)).isEmpty();
    }

    @Test
    void whatIsNoMetricIsPassedOver() {
        MetricText text =
                MetricText.parse(
                        "\u0000\nx{} y\nnonsense\nx 1\nx{a=\"b\\\"c,d\"} 2\nx{a=\"e\"} NaNs");
        assertThat(text.all("x")).hasSize(2);
        assertThat(text.value("x").orElseThrow()).isEqualTo(1);
        assertThat(text.value("x", "a", "b\\\"c,d").orElseThrow()).isEqualTo(2);
        assertThat(text.value("y")).isEmpty();
    }
}
