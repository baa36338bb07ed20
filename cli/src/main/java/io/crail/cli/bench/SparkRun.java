// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.SparkProgress;
import io.crail.bench.spark.SparkResult;
import io.crail.bench.spark.SparkRows;
import io.crail.cli.command.Invocation;
import io.crail.client.local.LocalCluster;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster of crail, and applications of Spark with and without it, on this machine. */
public final class SparkRun {
    private final Invocation invocation;
    private final Map<String, String> wanted;

    /** Of applications as Spark is shipped. */
    public SparkRun(Invocation invocation) {
        this.invocation = invocation;
        this.wanted = Map.of();
    }

    /**
     * Of applications with some settings besides.
     *
     * @param wanted settings of Spark, for both sides
     * @throws InvalidArgumentException if one cannot be set
     */
    SparkRun(Invocation invocation, Map<String, String> wanted) throws InvalidArgumentException {
        SparkSettings.check(wanted);
        this.invocation = invocation;
        this.wanted = new TreeMap<>(wanted);
    }

    /**
     * Measures rows and shows the results. Everything that it starts is gone when this returns,
     * however it does.
     *
     * @param file that gets each result when it is there; null for none
     */
    public void show(SparkRows rows, @Nullable Path file) throws IOException {
        Path jars = jars();
        ResultLines lines = new ResultLines(invocation, file);
        List<SparkResult> results =
                new BenchCluster(invocation, rows.capacity(), invocation.configurationOptions())
                        .run(cluster -> measure(rows, jars, cluster, lines));
        if (!lines.areOutput()) {
            new SparkReport(results).print(invocation.out());
        }
    }

    private List<SparkResult> measure(
            SparkRows rows, Path jars, LocalCluster cluster, ResultLines lines) throws IOException {
        SparkSettings settings =
                new SparkSettings(
                        cluster.namenode().toString(), invocation.configuration(), jars, wanted);
        try (RowProgress progress = new RowProgress(invocation.console(), rows.count())) {
            return rows.run(
                    (side, shape) -> SparkDriver.start(invocation, settings, side, shape),
                    BenchCluster.processes(cluster),
                    new SparkProgress() {
                        @Override
                        public void begins(String row) {
                            progress.next(row);
                        }

                        @Override
                        public void measured(List<SparkResult> results) throws IOException {
                            for (SparkResult each : results) {
                                Map<String, @Nullable Object> json = each.json();
                                json.put("conf", wanted);
                                lines.add(json);
                            }
                        }

                        @Override
                        public void step(String what) {
                            progress.step(what);
                        }
                    });
        }
    }

    /** Where bin/crail lets Maven put what driver and executors consist of. */
    private static Path jars() throws InvalidArgumentException {
        Path home = Path.of(System.getProperty(Invocation.HOME_PROPERTY, "."));
        Path jars = home.resolve("spark-bench").resolve("target").resolve("dist").resolve("lib");
        if (!Files.isDirectory(jars)) {
            throw new InvalidArgumentException(
                    "the jars of Spark are not in "
                            + jars
                            + ": start this by bin/crail, without options before the command");
        }
        return jars.toAbsolutePath();
    }
}
