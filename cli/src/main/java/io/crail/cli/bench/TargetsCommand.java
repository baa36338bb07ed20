// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.Targets;
import io.crail.bench.row.Effort;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.local.LocalCluster;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The table of targets. */
@CommandLine.Command(
        name = "targets",
        description = {
            "Starts a cluster on this machine, measures the rows of the table of targets in one"
                    + " run, and stops it. Batches of crail alternate with batches of the machine's"
                    + " own limit for the same work; the ratio is the median of the pairs. A row"
                    + " whose limit varied by more than 1.3 is void and marked by *. Keys of the"
                    + " configuration that are set apply to servers and clients, and each row names"
                    + " them: figures to compare have none. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench targets",
            "  crail bench targets --json results.json",
            "  crail bench targets --rows lookup_tcp,put100_tcp --quick"
        })
final class TargetsCommand extends Command {
    @Mixin private final RowOptions options = new RowOptions();

    TargetsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Effort effort = options.quick() ? Effort.QUICK : Effort.FULL;
        Targets targets = new Targets(options.rows(), effort);
        ResultLines lines = new ResultLines(invocation, options.file());
        List<Result> results =
                new BenchCluster(
                                invocation,
                                Targets.capacity(effort),
                                invocation.configurationOptions())
                        .run(cluster -> measure(targets, cluster, lines));
        if (!lines.areOutput()) {
            new Report(Switches.ofAll(results, invocation.configuration())).print(invocation.out());
        }
    }

    private List<Result> measure(Targets targets, LocalCluster cluster, ResultLines lines)
            throws IOException {
        try (ResultProgress progress =
                new ResultProgress(invocation, targets.count(), lines, Switches::ofAll)) {
            return targets.run(servers(cluster), progress);
        }
    }

    private Servers servers(LocalCluster cluster) throws IOException {
        return new Servers(
                LoadRun.connector(invocation.configuration(), List.of(cluster.namenode())),
                BenchCluster.processes(cluster));
    }
}
