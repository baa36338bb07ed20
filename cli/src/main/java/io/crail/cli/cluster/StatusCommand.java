// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.cli.state.LocalCluster;
import io.crail.cli.state.StateDirectory;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ServerLostException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "status",
        description = "Shows the processes of a local cluster; fails if one does not run.",
        footer = {"", "Examples:", "  crail cluster status", "  crail cluster status --json"})
final class StatusCommand extends Command {
    @Option(
            names = "--name",
            defaultValue = LocalCluster.DEFAULT,
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "";

    StatusCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Path directory = StateDirectory.ofUser(invocation.environment()).cluster(name);
        LocalCluster cluster = LocalCluster.read(directory);
        if (cluster == null) {
            throw new NoSuchNodeException(
                    "there is no cluster '" + name + "' (no state in " + directory + ")");
        }
        Table table = Table.titled("PROCESS", "STATE", "PID>", "LOG");
        List<Object> processes = new ArrayList<>();
        List<String> dead = new ArrayList<>();
        for (String process : cluster.processNames()) {
            ProcessHandle handle = cluster.process(process);
            String log = LocalCluster.logFile(directory, process).toString();
            boolean runs = handle != null;
            String pid = handle == null ? "-" : Long.toString(handle.pid());
            if (!runs) {
                dead.add(process);
            }
            String state = runs ? "runs" : "stopped";
            Colour colour = runs ? Colour.GOOD : Colour.BAD;
            table.row(process, invocation.console().paint(colour, state), pid, log);
            processes.add(
                    Json.object(
                            "name", process,
                            "runs", runs,
                            "pid", handle == null ? null : handle.pid(),
                            "log", log));
        }
        print(cluster, table, processes);
        if (!dead.isEmpty()) {
            ExitCode ignored =
                    invocation.report(
                            "cluster " + name,
                            new ServerLostException(
                                    String.join(", ", dead) + " does not run; see the log"));
        }
    }

    private void print(LocalCluster cluster, Table table, List<Object> processes) {
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "name", name,
                            "namenode", cluster.namenode().toString(),
                            "processes", processes));
        } else {
            invocation.out().println("cluster '" + name + "', namenode " + cluster.namenode());
            table.print(invocation.out());
        }
    }
}
