// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.state.LocalCluster;
import io.crail.cli.state.StateDirectory;
import io.crail.cli.terminal.Json;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.DurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "start",
        description = "Starts a namenode and storage servers on loopback; returns when they serve.",
        footer = {
            "",
            "What a stopped cluster of that name has left is used again. Examples:",
            "  crail cluster start",
            "  crail cluster start --servers 3 --capacity 8GiB --port 9060",
            "  crail cluster start --name test --format -D namenode.durability=none"
        })
final class StartCommand extends Command {
    private static final int MAX_SERVERS = 64;

    @Option(
            names = "--name",
            defaultValue = LocalCluster.DEFAULT,
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "";

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Storage servers. Default: ${DEFAULT-VALUE}")
    private int servers;

    @Option(
            names = "--capacity",
            paramLabel = "SIZE",
            defaultValue = "1GiB",
            description = "Bytes that each of them offers. Default: ${DEFAULT-VALUE}")
    private String capacity = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the namenode; 0, the default, takes any free one.")
    private int port;

    @Option(names = "--format", description = "Discards what an earlier cluster has left.")
    private boolean format;

    @Option(
            names = "--ready",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "Longest time until everything serves. Default: ${DEFAULT-VALUE}")
    private String ready = "";

    StartCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.configuration();
        StateDirectory state = StateDirectory.ofUser(invocation.environment());
        Path directory = state.cluster(name);
        state.prepare();
        ClusterPlan plan = plan(directory);
        LocalCluster cluster = start(plan);
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "name",
                            name,
                            "namenode",
                            cluster.namenode().toString(),
                            "servers",
                            servers,
                            "capacity",
                            plan.capacity().bytes() * servers,
                            "directory",
                            directory.toString()));
            return;
        }
        invocation.out().println("cluster '" + name + "' is ready");
        invocation.out().println("  namenode  " + cluster.namenode());
        invocation.out().println("  logs      " + directory + "/*.log");
        invocation.out().println("  use       " + usage(cluster) + " fs ls /");
        invocation.out().println("  stop      crail cluster stop" + nameOption());
    }

    /** Ended by a signal meanwhile, it leaves nothing running. */
    private LocalCluster start(ClusterPlan plan) throws IOException {
        ClusterStart start =
                new ClusterStart(plan, step -> invocation.console().err().println(step + " ..."));
        Leftovers.Removal removal = invocation.leftovers().add(start::cancel);
        try {
            return start.run();
        } finally {
            invocation.leftovers().forget(removal);
        }
    }

    private String usage(LocalCluster cluster) {
        return name.equals(LocalCluster.DEFAULT)
                ? "crail"
                : "CRAIL_NAMENODE=" + cluster.namenode() + " crail";
    }

    private String nameOption() {
        return name.equals(LocalCluster.DEFAULT) ? "" : " --name " + name;
    }

    private ClusterPlan plan(Path directory) throws IOException {
        if (servers < 1 || servers > MAX_SERVERS) {
            throw new InvalidArgumentException(
                    "--servers " + servers + ": must be within 1.." + MAX_SERVERS);
        }
        if (port < 0 || port > 0xFFFF) {
            throw new InvalidArgumentException("--port " + port + ": must be within 0..65535");
        }
        ByteSize size;
        Duration bound;
        try {
            size = ByteSize.parse(capacity);
            bound = DurationText.parse(ready);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
        DataDirectory data = DataDirectory.choose(directory, servers * size.bytes());
        if (!data.shared()) {
            invocation
                    .console()
                    .err()
                    .println("shared memory is too small: data go to " + data.path());
        }
        return new ClusterPlan(
                directory,
                data.path(),
                servers,
                size,
                port,
                format,
                bound,
                invocation.configurationOptions());
    }
}
