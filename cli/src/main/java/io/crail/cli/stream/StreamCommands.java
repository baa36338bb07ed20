// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail stream} and the names of its commands. */
@CommandLine.Command(
        name = "stream",
        synopsisSubcommandLabel = "COMMAND",
        description = "Works with streams of records.",
        footer = {
            "",
            "Examples:",
            "  crail stream create --max-bytes '1 GiB' /events",
            "  tail -f access.log | crail stream append /events",
            "  crail stream tail -f /events"
        })
public final class StreamCommands {
    private StreamCommands() {}

    /** The group, whose class carries its help. */
    public static StreamCommands group() {
        return new StreamCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("create", CreateCommand::new);
        commands.put("append", AppendCommand::new);
        commands.put("read", ReadCommand::new);
        commands.put("tail", TailCommand::new);
        commands.put("trim", TrimCommand::new);
        commands.put("info", InfoCommand::new);
        return commands;
    }
}
