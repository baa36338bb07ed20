// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.Side;
import io.crail.bench.spark.SparkOutcome;
import io.crail.bench.spark.SparkProgress;
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
    private final @Nullable Path flashDirectory;

    /** Of applications as Spark is shipped. */
    public SparkRun(Invocation invocation) {
        this.invocation = invocation;
        this.wanted = Map.of();
        this.flashDirectory = null;
    }

    /**
     * Of applications with some settings besides.
     *
     * @param wanted settings of Spark, for both sides
     * @param flashDirectory existing directory for the files of flash tiers; null chooses one
     * @throws InvalidArgumentException if a setting cannot be set
     */
    SparkRun(Invocation invocation, Map<String, String> wanted, @Nullable Path flashDirectory)
            throws InvalidArgumentException {
        SparkSettings.check(wanted);
        this.invocation = invocation;
        this.wanted = new TreeMap<>(wanted);
        this.flashDirectory = flashDirectory;
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
        List<SparkOutcome> results =
                new BenchCluster(invocation, rows.capacity(), invocation.configurationOptions())
                        .run(cluster -> measure(rows, jars, cluster, lines));
        if (!lines.areOutput()) {
            new SparkReport(results).print(invocation.out());
        }
    }

    private List<SparkOutcome> measure(
            SparkRows rows, Path jars, LocalCluster cluster, ResultLines lines) throws IOException {
        SparkSettings settings =
                new SparkSettings(
                        cluster.namenode().toString(), invocation.configuration(), jars, wanted);
        FlashClusters flash = new FlashClusters(invocation, settings, flashDirectory);
        try (RowProgress progress = new RowProgress(invocation.console(), rows.count())) {
            return rows.run(
                    (side, shape) ->
                            SparkDriver.start(
                                    invocation,
                                    side == Side.CRAIL_FLASH ? flash.settings() : settings,
                                    side,
                                    shape),
                    BenchCluster.processes(cluster),
                    flash,
                    new SparkProgress() {
                        @Override
                        public void begins(String row) {
                            progress.next(row);
                        }

                        @Override
                        public void measured(List<SparkOutcome> results) throws IOException {
                            for (SparkOutcome each : results) {
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
