// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench;

import io.crail.bench.limit.Peer;
import io.crail.bench.row.Effort;
import io.crail.bench.row.Row;
import io.crail.bench.row.Rows;
import io.crail.bench.row.Stage;
import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures the rows of the table of targets in one run. Not thread-safe. */
public final class Targets {
    private final List<Row> rows;
    private final Effort effort;

    /**
     * A run.
     *
     * @param names of the rows; all if it is empty
     * @param effort how long
     * @throws InvalidArgumentException if there is no row of one of the names
     */
    public Targets(List<String> names, Effort effort) throws InvalidArgumentException {
        for (String name : names) {
            if (Rows.all().stream().noneMatch(row -> row.name().equals(name))) {
                throw new InvalidArgumentException(
                        "there is no row '" + name + "'; the rows are " + names());
            }
        }
        this.effort = effort;
        this.rows =
                Rows.all().stream()
                        .filter(row -> names.isEmpty() || names.contains(row.name()))
                        .toList();
    }

    private static String names() {
        return String.join(", ", Rows.all().stream().map(Row::name).toList());
    }

    /** How many rows there are. */
    public int count() {
        return rows.size();
    }

    /** What {@link #run} needs of a storage server: files of all rows, and what is being freed. */
    public static long capacity(Effort effort) {
        return Rows.capacity(effort);
    }

    /**
     * Measures all rows.
     *
     * @param servers nobody else uses them meanwhile
     * @param progress told of each row
     */
    public List<Result> run(Servers servers, Progress<Result> progress) throws IOException {
        List<Result> results = new ArrayList<>();
        try (Peer peer = Peer.start(Rows.limitBytes(effort))) {
            Stage stage = new Stage(servers, peer, effort);
            for (Row row : rows) {
                progress.begins(row.name());
                List<Result> measured = row.measure(stage);
                results.addAll(measured);
                progress.measured(measured);
            }
        }
        return results;
    }
}
