// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quota;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail fs quota} and the names of its commands. */
@CommandLine.Command(
        name = "quota",
        synopsisSubcommandLabel = "COMMAND",
        description = "Limits what may lie below directories and tables.",
        footer = {
            "",
            "Examples:",
            "  crail fs quota set --nodes 1000000 --bytes 2TiB /team",
            "  crail fs quota show /team",
            "  crail fs quota clear /team"
        })
public final class QuotaCommands {
    private QuotaCommands() {}

    /** The group, whose class carries its help. */
    public static QuotaCommands group() {
        return new QuotaCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("set", SetCommand::new);
        commands.put("show", ShowCommand::new);
        commands.put("clear", ClearCommand::new);
        return commands;
    }
}
