// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.measure.Latencies;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.error.InternalException;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * From asking for a view of 1 MiB, not verified, to its first byte; beside a copy of as much, which
 * is what a view saves. It must be without a copy.
 */
final class ViewRow implements Row {
    private static final double FIRST_BYTE_MICROS = 2;
    private static final int SEED = 4;

    @Override
    public String name() {
        return "view";
    }

    @Override
    public List<Result> measure(Stage stage) throws IOException {
        Effort effort = stage.effort();
        BenchFile file = new BenchFile("/view", true);
        Label label =
                new Label(
                        name(),
                        "first byte, no copy",
                        Label.MICROS,
                        "copy of 1 MiB",
                        Target.valueAtMost(FIRST_BYTE_MICROS));
        MemoryCopy memory = new MemoryCopy(stage.peer(), false);
        try (CrailClient client = stage.servers().connect(Servers.Way.LOCAL)) {
            file.fill(client, effort.totalBytes());
            Result result;
            try (CrailFile in = client.open(file.path())) {
                SplittableRandom random = new SplittableRandom(SEED);
                stage.warmUp().run(number -> firstBytes(in, random, effort.roundTrips()));
                copies(memory, effort.batches());
                result =
                        stage.compare(
                                label,
                                batch -> copies(memory, effort.roundTrips() / 10),
                                batch -> firstBytes(in, random, effort.roundTrips()));
            }
            file.remove(client);
            return List.of(result);
        }
    }

    private static double copies(MemoryCopy memory, int count) {
        Latencies latencies = new Latencies(count);
        for (int i = 0; i < count; i++) {
            double rate = memory.read((long) i * BenchFile.BUFFER, BenchFile.BUFFER);
            latencies.add(Math.round(BenchFile.BUFFER * 1e9 / rate));
        }
        return latencies.median() / 1e3;
    }

    private static Batches.Done firstBytes(CrailFile file, SplittableRandom random, int count)
            throws IOException {
        Latencies latencies = new Latencies(count);
        long buffers = file.length() / BenchFile.BUFFER;
        int sum = 0;
        for (int i = 0; i < count; i++) {
            long position = random.nextLong(buffers) * BenchFile.BUFFER;
            long start = System.nanoTime();
            try (CrailView view = file.view(position, BenchFile.BUFFER, false)) {
                sum += view.buffers().get(0).get(0);
                latencies.add(System.nanoTime() - start);
                if (!view.isZeroCopy()) {
                    throw new InternalException("a view of " + file.path() + " was copied");
                }
            }
        }
        // The first byte of each buffer that the file was filled with is 0.
        if (sum != 0) {
            throw new InternalException("views of " + file.path() + " show other bytes");
        }
        return new Batches.Done(latencies.median() / 1e3, count);
    }
}
