// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.HadoopBenchmark;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All rows, in the order of the table. Those that need HDFS come last: it starts for them. */
public final class HadoopRows implements HadoopBenchmark {
    private static final double MEBIBYTE = 1 << 20;
    private static final long ROOM = 1L << 30;
    private static final long LITTLE_ROOM = 128L << 20;

    private static final List<Row> ALL =
            List.of(
                    new OverheadRow(
                            "overhead_stat", SmallOperations.stat(), Target.moreAtMost(5), true),
                    new OverheadRow("overhead_list", SmallOperations.list(), null, false),
                    new OverheadRow("overhead_create", SmallOperations.create(), null, false),
                    new OverheadRow("overhead_write_1k", SmallOperations.write(), null, false),
                    new OverheadRow("overhead_read_1k", SmallOperations.read(), null, false),
                    new OverheadRow(
                            "overhead_write_1m",
                            LargeOperations.write(Effort::streamBytes, MEBIBYTE),
                            Target.atMost(1.1),
                            false),
                    new OverheadRow(
                            "overhead_read_1m",
                            LargeOperations.read(Effort::streamBytes, MEBIBYTE),
                            Target.atMost(1.1),
                            false),
                    new OverheadRow("overhead_pread_4k", LargeOperations.readPages(), null, false),
                    new OverheadRow("overhead_vectored", LargeOperations.readRanges(), null, false),
                    new HdfsRow(
                            "stat",
                            SmallOperations.stat(),
                            Label.PER_SECOND,
                            Target.factorAtLeast(5)),
                    new HdfsRow("list", SmallOperations.list(), Label.PER_SECOND, null),
                    new HdfsRow(
                            "create",
                            SmallOperations.create(),
                            Label.PER_SECOND,
                            Target.factorAtLeast(10)),
                    new HdfsRow(
                            "write_1k",
                            SmallOperations.write(),
                            Label.PER_SECOND,
                            Target.factorAtLeast(30)),
                    new HdfsRow(
                            "read_1k",
                            SmallOperations.read(),
                            Label.PER_SECOND,
                            Target.factorAtLeast(10)),
                    new HdfsRow(
                            "write_1g",
                            LargeOperations.write(Effort::fileBytes, 1),
                            Label.GIGABYTES,
                            Target.factorAtLeast(3)),
                    new HdfsRow(
                            "read_1g",
                            LargeOperations.read(Effort::fileBytes, 1),
                            Label.GIGABYTES,
                            Target.factorAtLeast(1.5)),
                    new HdfsRow("pread_4k", LargeOperations.readPages(), Label.PER_SECOND, null),
                    new HdfsRow("vectored", LargeOperations.readRanges(), Label.PER_SECOND, null));

    /** For ServiceLoader. */
    public HadoopRows() {}

    /**
     * A file and the one that it replaces, twice, since what is freed comes back a little later.
     */
    @Override
    public long capacity(Wish wish) {
        return 3 * Effort.of(wish.quick()).fileBytes() + (wish.quick() ? LITTLE_ROOM : ROOM);
    }

    @Override
    public List<String> rows(Wish wish) throws InvalidArgumentException {
        return chosen(wish).stream().map(Row::name).toList();
    }

    private static List<Row> chosen(Wish wish) throws InvalidArgumentException {
        List<String> names = ALL.stream().map(Row::name).toList();
        for (String wanted : wish.rows()) {
            if (!names.contains(wanted)) {
                throw new InvalidArgumentException(
                        "there is no row '"
                                + wanted
                                + "'; the rows are "
                                + String.join(", ", names));
            }
        }
        return ALL.stream()
                .filter(row -> wish.rows().isEmpty() || wish.rows().contains(row.name()))
                .toList();
    }

    @Override
    public List<Result> run(Wish wish, Cluster cluster, Progress<Result> progress)
            throws IOException {
        Effort effort = Effort.of(wish.quick());
        List<Result> results = new ArrayList<>();
        try (Stores stores = new Stores(cluster, wish.hdfs())) {
            for (Row row : chosen(wish)) {
                progress.begins(row.name());
                List<Result> measured = row.measure(stores, effort);
                results.addAll(measured);
                progress.measured(measured);
            }
        }
        return results;
    }
}
