// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "stop",
        description = "Stops a local cluster and removes its data.",
        footer = {
            "",
            "Examples:",
            "  crail cluster stop",
            "  crail cluster stop --name test --keep-data"
        })
final class StopCommand extends Command {
    @Option(
            names = "--name",
            defaultValue = LocalCluster.DEFAULT,
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "";

    @Option(
            names = "--keep-data",
            description = "Keeps data, metadata and logs for the next start.")
    private boolean keepData;

    StopCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        LocalCluster cluster =
                NamedCluster.find(StateDirectory.ofUser(invocation.environment()), name);
        ClusterStop stop = new ClusterStop(cluster);
        List<String> ended = stop.endProcesses();
        if (!keepData) {
            stop.removeFiles();
        }
        if (invocation.json()) {
            invocation.printJson(Json.object("name", name, "stopped", ended, "dataKept", keepData));
        } else {
            invocation
                    .out()
                    .println(
                            "cluster '"
                                    + name
                                    + "' is stopped: "
                                    + (ended.isEmpty() ? "nothing ran" : String.join(", ", ended))
                                    + (keepData ? "; its data are kept" : ""));
        }
    }
}
