// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail cluster} and the names of its commands. */
@CommandLine.Command(
        name = "cluster",
        synopsisSubcommandLabel = "COMMAND",
        description = "Starts, stops and shows clusters of local processes.",
        footer = {
            "",
            "Other commands find the cluster called 'default' by themselves. Examples:",
            "  crail cluster start --servers 2 --capacity 4GiB",
            "  crail cluster status",
            "  crail cluster stop"
        })
public final class ClusterCommands {
    private ClusterCommands() {}

    /** The group, whose class carries its help. */
    public static ClusterCommands group() {
        return new ClusterCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("start", StartCommand::new);
        commands.put("stop", StopCommand::new);
        commands.put("status", StatusCommand::new);
        return commands;
    }
}
