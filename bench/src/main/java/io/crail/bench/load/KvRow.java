// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.List;

/** A row of keys and values: threads that share one client. */
record KvRow(KvSpec spec) implements LoadRow {
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
        String path = arena.directory() + "/table-" + number;
        try (CrailClient client = arena.servers().connect(spec.way());
                KvWorkload workload = new KvWorkload(client, arena.peer(), spec, path)) {
            Label label = spec.label(workload.inBlocks());
            if (!workload.isForced()) {
                String why = Forced.NO_SOCKET + ", or " + Forced.NO_MEMORY;
                return Result.skipped(label, why, ProcessorTime.load());
            }
            try (Member member = new Threads(workload, spec.threads())) {
                return Trial.run(
                        label, arena.pace(), List.of(member), 1, arena.servers().processes());
            }
        }
    }
}
