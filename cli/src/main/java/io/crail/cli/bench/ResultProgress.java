// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import java.io.IOException;
import java.util.List;

/** Rows as they are measured: told to who waits, and kept as lines of JSON. Not thread-safe. */
final class ResultProgress implements Progress<Result>, AutoCloseable {
    /** What a run's results say of its configuration. */
    @FunctionalInterface
    interface Naming {
        /** The same results with what is not as shipped. */
        List<Result> name(List<Result> results, Configuration configuration);
    }

    private final RowProgress shown;
    private final ResultLines lines;
    private final Naming naming;
    private final Configuration configuration;

    /**
     * A run that begins.
     *
     * @param rows how many there are
     */
    ResultProgress(Invocation invocation, int rows, ResultLines lines, Naming naming)
            throws InvalidArgumentException {
        this.shown = new RowProgress(invocation.console(), rows);
        this.lines = lines;
        this.naming = naming;
        this.configuration = invocation.configuration();
    }

    @Override
    public void begins(String row) {
        shown.next(row);
    }

    @Override
    public void measured(List<Result> results) throws IOException {
        for (Result each : naming.name(results, configuration)) {
            lines.add(each.json());
        }
    }

    @Override
    public void close() {
        shown.close();
    }
}
