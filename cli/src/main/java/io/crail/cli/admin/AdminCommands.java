// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail admin} and the names of its commands. */
@CommandLine.Command(
        name = "admin",
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows the state of a cluster, and looks after its storage servers.",
        footer = {
            "",
            "Examples:",
            "  crail admin report       state and capacity of everything",
            "  crail admin drain 2      empty storage server 2, so that it can be stopped",
            "  crail admin undrain 2    let it have new blocks again",
            "  crail admin tier         what moves between storage classes"
        })
public final class AdminCommands {
    private AdminCommands() {}

    /** The group, whose class carries its help. */
    public static AdminCommands group() {
        return new AdminCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("report", ReportCommand::new);
        commands.put("drain", DrainCommand::new);
        commands.put("undrain", UndrainCommand::new);
        commands.put("tier", TierCommand::new);
        return commands;
    }
}
