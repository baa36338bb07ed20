// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.measure.Cores;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Crew;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.List;

/** Blocking lookups of four threads that share a client, beside one thread. */
final class ThreadsRow implements Row {
    private static final int THREADS = 4;
    private static final String PATH = "/threads/of/one";

    @Override
    public String name() {
        return "threads4";
    }

    @Override
    public List<Result> measure(Stage stage) throws IOException {
        Label label =
                new Label(name(), "all cores", Label.PER_SECOND, "one thread", Target.atLeast(1.5));
        if (Cores.parse(Cores.allowed()).length < THREADS) {
            return List.of(
                    Result.skipped(label, "needs " + THREADS + " cores", ProcessorTime.load()));
        }
        try (CrailClient client = stage.servers().connect(Servers.Way.TCP);
                Crew one = new Crew(1);
                Crew four = new Crew(THREADS)) {
            client.mkdir(PATH, CreateOptions.PARENTS);
            long nanos = stage.effort().batchTime().toNanos();
            stage.warmUp().run(number -> four.run(thread -> lookups(client, nanos)));
            return List.of(
                    stage.compare(
                            label,
                            batch -> one.run(thread -> lookups(client, nanos)).figure(),
                            batch -> four.run(thread -> lookups(client, nanos))));
        }
    }

    private static long lookups(CrailClient client, long nanos) throws IOException {
        long start = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - start < nanos) {
            client.status(PATH);
            count++;
        }
        return count;
    }
}
