// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;
import java.util.List;

/** A row of data: one thread, one client. */
record DataRow(DataSpec spec) implements LoadRow {
    @Override
    public String title() {
        return Wish.name(spec.operation()) + ": " + spec.setting();
    }

    @Override
    public Setting cores() {
        return spec.cores();
    }

    @Override
    public Result measure(Arena arena, int number) throws IOException {
        Label label = spec.label();
        String path = arena.directory() + "/data-" + number;
        try (DataWorkload workload =
                new DataWorkload(arena.servers().connect(spec.way()), arena.peer(), spec, path)) {
            if (!workload.open()) {
                return Result.skipped(label, Forced.NO_MEMORY, ProcessorTime.load());
            }
            try (Member member = new Threads(workload, 1)) {
                return Trial.run(
                        label,
                        arena.pace(),
                        List.of(member),
                        spec.size() / 1e9,
                        arena.servers().processes());
            }
        }
    }
}
