// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.limit.Peer;
import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures the rows of NVMe over Fabrics in one run. Not thread-safe. */
public final class NvmfBenchmark {
    private static final int LIMIT_BYTES = 8 << 20;

    private static final List<NvmfRow> ALL =
            List.of(
                    new LatencyRow(Route.TCP),
                    new RateRow(Route.TCP),
                    new LatencyRow(Route.UNIX_SOCKET),
                    new RateRow(Route.UNIX_SOCKET),
                    StreamRow.read(),
                    StreamRow.write());

    private final List<NvmfRow> rows;
    private final NvmfEffort effort;

    /**
     * A run.
     *
     * @param names of the rows; all if it is empty
     * @param quick whether few and short batches are enough, to see that it works
     * @throws InvalidArgumentException if there is no row of one of the names
     */
    public NvmfBenchmark(List<String> names, boolean quick) throws InvalidArgumentException {
        for (String name : names) {
            if (ALL.stream().noneMatch(row -> row.name().equals(name))) {
                throw new InvalidArgumentException(
                        "there is no row '"
                                + name
                                + "'; the rows are "
                                + String.join(
                                        ", ", ALL.stream().map(NvmfRow::name).distinct().toList()));
            }
        }
        this.effort = NvmfEffort.of(quick);
        this.rows =
                ALL.stream().filter(row -> names.isEmpty() || names.contains(row.name())).toList();
    }

    private NvmfBenchmark(List<NvmfRow> rows, NvmfEffort effort) {
        this.rows = rows;
        this.effort = effort;
    }

    /** The same with another number of batches for each row. */
    public NvmfBenchmark withPairs(int pairs) {
        return new NvmfBenchmark(rows, effort.withBatches(pairs));
    }

    /** How many rows there are. */
    public int count() {
        return rows.size();
    }

    /**
     * Measures all rows.
     *
     * @param file nobody else uses it meanwhile
     * @param overwrite whether its bytes may be lost although it was there before
     * @param progress told of each row
     */
    public List<Result> run(MeasuredFile file, boolean overwrite, Progress<Result> progress)
            throws IOException {
        List<Result> results = new ArrayList<>();
        try (FioMemory memory = FioMemory.make();
                Peer peer = Peer.start(LIMIT_BYTES);
                TargetProcess target = TargetProcess.start(file.path())) {
            Fio fio = Fio.on(file.path(), file.bytes(), memory.path());
            Arena arena = new Arena(target, fio, file, peer, effort);
            for (NvmfRow row : rows) {
                progress.begins(row.name());
                boolean allowed = file.made() || overwrite || !row.writes();
                List<Result> measured = allowed ? row.measure(arena) : List.of(skipped(row, file));
                results.addAll(measured);
                progress.measured(measured);
            }
        }
        return results;
    }

    private static Result skipped(NvmfRow row, MeasuredFile file) {
        return Result.skipped(
                new Label(row.name(), "", "", "", null),
                "it would overwrite " + file.path() + "; --overwrite allows that",
                ProcessorTime.load());
    }
}
