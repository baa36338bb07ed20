// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.PingPong;
import io.crail.bench.measure.Latencies;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of single operations, one after another, beside ping-pong: in both settings, each with a
 * client of its own, which sees how many cores it has when it is made.
 */
abstract class LatencyRow implements Row {
    private static final String PING_PONG = "ping-pong";

    private final String name;
    private final Servers.Way way;
    private final @Nullable Target oneCore;
    private final @Nullable Target twoCore;

    LatencyRow(String name, Servers.Way way, @Nullable Target oneCore, @Nullable Target twoCore) {
        this.name = name;
        this.way = way;
        this.oneCore = oneCore;
        this.twoCore = twoCore;
    }

    /** One operation, which is timed. */
    @FunctionalInterface
    interface Operation {
        /** Does the operation with that number. */
        void run(int number) throws IOException;
    }

    @Override
    public final String name() {
        return name;
    }

    /** Makes what the operations need; again for each setting. */
    abstract Operation prepare(CrailClient client) throws IOException;

    /** What the limit has besides the ping-pong, for its name; empty if nothing. */
    String further() {
        return "";
    }

    /** Nanoseconds of what the limit has besides the ping-pong. */
    double furtherNanos(Stage stage) {
        return 0;
    }

    @Override
    public final List<Result> measure(Stage stage) throws IOException {
        List<Result> results = new ArrayList<>();
        // Compilers need cores: they get them before anybody is confined. Twice, since what they
        // made is thrown away in part when the first client is closed, which they had not seen.
        for (int i = 0; i < 2; i++) {
            try (CrailClient client = stage.servers().connect(way)) {
                Operation operation = prepare(client);
                stage.warmUp().run(operation::run);
            }
        }
        for (Setting setting : Setting.FIXED) {
            String limit = (setting.spins(1) ? "spinning " : "blocking ") + PING_PONG + further();
            Target target = setting == Setting.ONE_CORE ? oneCore : twoCore;
            Label label = new Label(name, setting.text(), Label.MICROS, limit, target);
            results.add(
                    setting.isPossible()
                            ? measure(stage, setting, label)
                            : Result.skipped(label, "too few cores", ProcessorTime.load()));
        }
        return results;
    }

    private Result measure(Stage stage, Setting setting, Label label) throws IOException {
        int count = stage.effort().roundTrips();
        Setting.Confinement confinement =
                setting.confine(List.of(ProcessHandle.current()), stage.others());
        try (CrailClient client = stage.servers().connect(way);
                PingPong pingPong = new PingPong(stage.peer(), setting.spins(1))) {
            Operation operation = prepare(client);
            stage.warmUp().run(operation::run);
            pingPong.median(count);
            return stage.compare(
                    label,
                    batch -> (pingPong.median(count) + furtherNanos(stage)) / 1e3,
                    batch -> new Batches.Done(median(operation, count) / 1e3, count));
        } finally {
            confinement.close();
        }
    }

    private static double median(Operation operation, int count) throws IOException {
        Latencies latencies = new Latencies(count);
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            operation.run(i);
            latencies.add(System.nanoTime() - start);
        }
        return latencies.median();
    }
}
