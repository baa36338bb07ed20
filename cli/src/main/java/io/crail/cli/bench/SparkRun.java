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

/** A cluster of crail, and applications of Spark with and without it, on this machine. */
public final class SparkRun {
    private final Invocation invocation;

    public SparkRun(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Measures rows. Everything that it starts is gone when this returns, however it does. */
    public List<SparkResult> measure(SparkRows rows) throws IOException {
        Path jars = jars();
        return new BenchCluster(invocation, rows.capacity(), invocation.configurationOptions())
                .run(cluster -> measure(rows, jars, cluster));
    }

    private List<SparkResult> measure(SparkRows rows, Path jars, LocalCluster cluster)
            throws IOException {
        SparkSettings settings =
                new SparkSettings(cluster.namenode().toString(), invocation.configuration(), jars);
        try (RowProgress progress = new RowProgress(invocation.console(), rows.count())) {
            return rows.run(
                    (side, shape) -> SparkDriver.start(invocation, settings, side, shape),
                    BenchCluster.processes(cluster),
                    new SparkProgress() {
                        @Override
                        public void row(String name) {
                            progress.next(name);
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
