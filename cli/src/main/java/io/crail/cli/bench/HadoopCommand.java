// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.HadoopBenchmark;
import io.crail.bench.HadoopBenchmark.Cluster;
import io.crail.bench.HadoopBenchmark.Wish;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.local.LocalCluster;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** crail through the API of Hadoop. */
@CommandLine.Command(
        name = "hadoop",
        description = {
            "Measures crail through the API of Hadoop: beside its own Java client, which is what"
                    + " Hadoop costs, and beside a real HDFS with one datanode, all state in"
                    + " memory. Starts both on this machine and stops them. Batches alternate; the"
                    + " ratio is the median of the pairs. The first call fetches Hadoop's jars with"
                    + " Maven. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench hadoop",
            "  crail bench hadoop --json results.json",
            "  crail bench hadoop --rows overhead_stat,stat,create",
            "  crail bench hadoop --without-hdfs --quick"
        })
final class HadoopCommand extends Command {
    @Mixin private final RowOptions options = new RowOptions();

    @Option(
            names = "--without-hdfs",
            description = "Start no HDFS; rows that compare with it are skipped.")
    private boolean withoutHdfs;

    HadoopCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        HadoopBenchmark benchmark =
                ServiceLoader.load(HadoopBenchmark.class)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new InvalidArgumentException(
                                                "this benchmark needs the jars of Hadoop: start it"
                                                        + " as 'bin/crail bench hadoop', without"
                                                        + " options before 'bench'"));
        Wish wish = new Wish(options.rows(), options.quick(), withoutHdfs ? null : hdfsJars());
        int count = benchmark.rows(wish).size();
        ResultLines lines = new ResultLines(invocation, options.file());
        List<Result> results =
                new BenchCluster(
                                invocation,
                                benchmark.capacity(wish),
                                invocation.configurationOptions())
                        .run(cluster -> measure(benchmark, wish, cluster, count, lines));
        if (!lines.areOutput()) {
            new Report(Switches.ofAll(results, invocation.configuration())).print(invocation.out());
        }
    }

    /** Where bin/crail lets Maven put what HDFS's servers consist of. */
    private static Path hdfsJars() throws InvalidArgumentException {
        Path home = Path.of(System.getProperty(Invocation.HOME_PROPERTY, "."));
        Path jars = home.resolve("hdfs-peer").resolve("target").resolve("dist").resolve("lib");
        if (!Files.isDirectory(jars)) {
            throw new InvalidArgumentException(
                    "the jars of HDFS are not in "
                            + jars
                            + "; --without-hdfs measures all that needs none");
        }
        return jars;
    }

    private List<Result> measure(
            HadoopBenchmark benchmark,
            Wish wish,
            LocalCluster cluster,
            int count,
            ResultLines lines)
            throws IOException {
        Configuration values = invocation.configuration();
        Servers servers =
                new Servers(
                        LoadRun.connector(values, List.of(cluster.namenode())),
                        BenchCluster.processes(cluster));
        Cluster measured =
                new Cluster(cluster.namenode().toString(), ClientSettings.of(values), servers);
        try (ResultProgress progress =
                new ResultProgress(invocation, count, lines, Switches::ofAll)) {
            return benchmark.run(wish, measured, progress);
        }
    }
}
