// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "status",
        description =
                "Shows the servers of a local cluster: running, dead, or not answering. Fails if one"
                        + " does not run.",
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
        LocalCluster cluster =
                NamedCluster.find(StateDirectory.ofUser(invocation.environment()), name);
        List<ServerStatus> servers = ServerStatus.ofAll(cluster);
        if (invocation.json()) {
            printJson(cluster, servers);
        } else {
            print(cluster, servers);
        }
        String dead = names(servers, ServerStatus.State.DEAD);
        String silent = names(servers, ServerStatus.State.NOT_ANSWERING);
        if (!dead.isEmpty()) {
            fail(dead + ": dead; 'crail cluster start" + option() + "' starts what is missing");
        }
        if (!silent.isEmpty()) {
            fail(silent + ": not answering; its log in " + cluster.directory() + " may say why");
        }
    }

    private void fail(String message) {
        ExitCode ignored =
                invocation.report(
                        "cluster " + name, new CommandFailure(ExitCode.UNREACHABLE, message));
    }

    private String option() {
        return name.equals(LocalCluster.DEFAULT) ? "" : " --name " + name;
    }

    private static String names(List<ServerStatus> servers, ServerStatus.State state) {
        return servers.stream()
                .filter(server -> server.state() == state)
                .map(ServerStatus::name)
                .collect(Collectors.joining(", "));
    }

    private void printJson(LocalCluster cluster, List<ServerStatus> servers) {
        List<Object> list = new ArrayList<>();
        for (ServerStatus server : servers) {
            list.add(
                    Json.object(
                            "name", server.name(),
                            "role", server.role(),
                            "state", server.state().toString(),
                            "pid", server.pid(),
                            "address", server.address().map(Endpoint::toString).orElse(null),
                            "statusUrl", server.statusUrl().orElse(null),
                            "uptimeSeconds", server.uptime().map(Duration::toSeconds).orElse(null),
                            "log", server.log().toString()));
        }
        invocation.printJson(
                Json.object(
                        "name",
                        name,
                        "namenode",
                        cluster.namenode().toString(),
                        "directory",
                        cluster.directory().toString(),
                        "servers",
                        list));
    }

    private void print(LocalCluster cluster, List<ServerStatus> servers) {
        Table table =
                Table.titled(
                        "SERVER", "ROLE", "STATE", "PID>", "ADDRESS", "METRICS", "UPTIME>", "LOG");
        for (ServerStatus server : servers) {
            Colour colour = server.state() == ServerStatus.State.RUNNING ? Colour.GOOD : Colour.BAD;
            Long pid = server.pid();
            table.row(
                    server.name(),
                    server.role(),
                    invocation.console().paint(colour, server.state().toString()),
                    pid == null ? "-" : pid.toString(),
                    server.address().map(Endpoint::toString).orElse("-"),
                    server.statusUrl().orElse("-"),
                    server.uptime().map(StatusCommand::text).orElse("-"),
                    server.log().toString());
        }
        invocation.out().println("cluster '" + name + "', namenode " + cluster.namenode());
        table.print(invocation.out());
    }

    /** As uptime and ps have it: days, and hours, minutes, seconds. */
    static String text(Duration uptime) {
        String time =
                String.format(
                        Locale.ROOT,
                        "%02d:%02d:%02d",
                        uptime.toHoursPart(),
                        uptime.toMinutesPart(),
                        uptime.toSecondsPart());
        return uptime.toDays() == 0 ? time : uptime.toDays() + "d " + time;
    }
}
