// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.BlockStream;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Ring;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random aligned reads of 4 KiB over one connection, beside a raw stream in pieces of 4 KiB: how
 * many in a second.
 */
final class RandomReadRow implements Row {
    private static final int[] DEPTHS = {1, 16, 32};
    private static final int TARGET_DEPTH = 16;
    private static final long LENGTH = 256L << 20;
    private static final int LIMIT_BLOCKS = 50_000;
    private static final int SEED = 4;

    @Override
    public String name() {
        return "read4k_tcp";
    }

    @Override
    public List<Result> measure(Stage stage) throws IOException {
        List<Result> results = new ArrayList<>();
        BenchFile file = new BenchFile("/read4k", true);
        try (CrailClient client = stage.servers().connect(Servers.Way.TCP);
                BlockStream raw = new BlockStream(stage.peer())) {
            file.fill(client, LENGTH);
            try (CrailFile in = client.open(file.path())) {
                Reads reads = new Reads(in);
                long nanos = stage.effort().batchTime().toNanos();
                stage.warmUp().run(number -> reads.run(TARGET_DEPTH, nanos));
                stage.warmUp().run(number -> raw.receive(LIMIT_BLOCKS));
                for (int depth : DEPTHS) {
                    Target target = depth == TARGET_DEPTH ? Target.atLeast(0.8) : null;
                    Label label =
                            new Label(
                                    name(),
                                    "depth " + depth,
                                    Label.PER_SECOND,
                                    "raw stream of 4 KiB",
                                    target);
                    results.add(
                            stage.compare(
                                    label,
                                    batch -> raw.receive(LIMIT_BLOCKS),
                                    batch -> reads.run(depth, nanos)));
                }
            }
            file.remove(client);
        }
        return results;
    }

    /** Reads of one file. */
    private static final class Reads {
        private final CrailFile file;
        private final SplittableRandom random = new SplittableRandom(SEED);

        Reads(CrailFile file) {
            this.file = file;
        }

        Batches.Done run(int depth, long nanos) throws IOException {
            ByteBuffer[] buffers = BenchFile.buffers(depth, BlockStream.BLOCK);
            Ring ring = new Ring(depth);
            long start = System.nanoTime();
            long count = 0;
            while (System.nanoTime() - start < nanos) {
                long at = random.nextLong(LENGTH / BlockStream.BLOCK) * BlockStream.BLOCK;
                ring.add(slot -> file.readAsync(at, buffers[slot].clear()));
                count++;
            }
            ring.drain();
            return new Batches.Done(count * 1e9 / (System.nanoTime() - start), count);
        }
    }
}
