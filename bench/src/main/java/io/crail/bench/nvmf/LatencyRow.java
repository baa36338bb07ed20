// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.limit.PingPong;
import io.crail.bench.measure.Latencies;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Random reads of 4 KiB, one after another: the median, beside that of the device and the way to
 * the target and back by TCP. In both settings of cores, as every row of single operations.
 */
final class LatencyRow implements NvmfRow {
    private static final Access ACCESS = new Access(Access.Kind.RANDOM_READ, 4 << 10, 1);

    /** What the way may cost. */
    private static final double PING_PONGS = 1.5;

    private static final int MOST = 1 << 20;

    private final Route route;

    LatencyRow(Route route) {
        this.route = route;
    }

    @Override
    public String name() {
        return RateRow.RANDOM_READ;
    }

    @Override
    public boolean writes() {
        return false;
    }

    @Override
    public List<Result> measure(Arena arena) throws IOException {
        List<Result> results = new ArrayList<>();
        // Compilers need cores: they get them before anybody is confined. Twice, since what they
        // made is thrown away in part when the first connection is closed.
        for (int i = 0; i < 2; i++) {
            arena.<Object>connected(ACCESS, route.isLocal(), calls -> warmUp(arena, calls));
        }
        for (Setting setting : Setting.FIXED) {
            Label label = label(arena, setting);
            results.add(
                    setting.isPossible()
                            ? measure(arena, setting, label)
                            : Result.skipped(label, "too few cores", ProcessorTime.load()));
        }
        return results;
    }

    private Label label(Arena arena, Setting setting) {
        return new Label(
                name(),
                route.after("depth 1, " + setting.text()),
                Label.MICROS,
                "p50 of "
                        + arena.fio().name()
                        + " + "
                        + PING_PONGS
                        + (setting.spins(1) ? " spinning" : " blocking")
                        + " ping-pongs",
                Label.Target.atMost(1.0));
    }

    private static boolean warmUp(Arena arena, Calls calls) throws IOException {
        arena.effort()
                .warmUp(arena.others())
                .run(number -> calls.oneByOne(arena.batchNanos() / 4, MOST));
        return true;
    }

    private Result measure(Arena arena, Setting setting, Label label) throws IOException {
        Setting.Confinement confinement =
                setting.confine(List.of(ProcessHandle.current()), arena.others());
        try (PingPong pingPong = new PingPong(arena.peer(), setting.spins(1))) {
            int roundTrips = arena.effort().roundTrips();
            return arena.connected(
                    ACCESS,
                    route.isLocal(),
                    calls -> {
                        warmUp(arena, calls);
                        pingPong.median(roundTrips);
                        return arena.compare(
                                label,
                                batch ->
                                        arena.fio()
                                                        .run(ACCESS, arena.effort().batchTime())
                                                        .medianMicros()
                                                + PING_PONGS * pingPong.median(roundTrips) / 1e3,
                                batch -> {
                                    Latencies all = calls.oneByOne(arena.batchNanos(), MOST);
                                    return new Batches.Done(all.median() / 1e3, all.count());
                                });
                    });
        } finally {
            confinement.close();
        }
    }
}
