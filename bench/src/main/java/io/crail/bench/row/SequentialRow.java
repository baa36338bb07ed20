// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.limit.RawStream;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of sequential reads or writes by buffers of 1 MiB, each batch of another part of the file:
 * on this host beside copies in memory, with checksums and without; over TCP beside a raw stream,
 * with {@link #DEPTH} buffers under way.
 */
abstract class SequentialRow implements Row {
    static final int DEPTH = 16;
    private static final Target TARGET = Target.atLeast(0.9);

    private final String name;
    private final Servers.Way way;
    private final boolean read;

    SequentialRow(String name, Servers.Way way, boolean read) {
        this.name = name;
        this.way = way;
        this.read = read;
    }

    /** Works on one file, part after part. */
    interface Work extends AutoCloseable {
        /** Reads or writes the next part. */
        void run(long position, int bytes) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Prepares a file and opens it; everything is warm. */
    abstract Work open(CrailClient client, BenchFile file, Stage stage) throws IOException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Result> measure(Stage stage) throws IOException {
        List<Result> results = new ArrayList<>();
        if (way == Servers.Way.TCP) {
            Label label = label("depth 16, checksums", "raw stream + CRC32C");
            try (RawStream raw = new RawStream(stage.peer())) {
                Limit limit = (at, bytes) -> read ? raw.receive(bytes) : raw.send(bytes);
                results.add(measure(stage, label, true, limit));
            }
            return results;
        }
        for (boolean checksums : new boolean[] {true, false}) {
            String what = checksums ? "copy + CRC32C" : "copy";
            Label label = label(checksums ? "checksums" : "checksums off", what);
            MemoryCopy memory = new MemoryCopy(stage.peer(), checksums);
            Limit limit = (at, bytes) -> read ? memory.read(at, bytes) : memory.write(at, bytes);
            results.add(measure(stage, label, checksums, limit));
        }
        return results;
    }

    /** Bytes per second of the machine. */
    @FunctionalInterface
    private interface Limit {
        double run(long position, int bytes) throws IOException;
    }

    private Label label(String setting, String limit) {
        return new Label(name, setting, Label.GIGABYTES, limit, TARGET);
    }

    private Result measure(Stage stage, Label label, boolean checksums, Limit limit)
            throws IOException {
        int bytes = stage.effort().batchBytes();
        BenchFile file = new BenchFile("/" + name, checksums);
        try (CrailClient client = stage.servers().connect(way)) {
            Result result;
            warmUp(limit, bytes, stage.effort());
            try (Work work = open(client, file, stage)) {
                result =
                        stage.compare(
                                label,
                                batch -> limit.run((long) batch * bytes, bytes) / 1e9,
                                batch -> timed(work, (long) batch * bytes, bytes));
            }
            file.remove(client);
            return result;
        }
    }

    /**
     * The limit is Java as well, and is compiled in steps. It goes through all parts, as the
     * batches do: the first batch must not find what the warm-up has just used.
     */
    private static void warmUp(Limit limit, int bytes, Effort effort) throws IOException {
        long end = System.nanoTime() + effort.longWarmUp().toNanos();
        long position = 0;
        do {
            limit.run(position, bytes);
            position = (position + bytes) % effort.totalBytes();
        } while (position != 0 || System.nanoTime() - end < 0);
    }

    private static Batches.Done timed(Work work, long position, int bytes) throws IOException {
        long start = System.nanoTime();
        work.run(position, bytes);
        double rate = (double) bytes / (System.nanoTime() - start);
        return new Batches.Done(rate, bytes / BenchFile.BUFFER);
    }
}
