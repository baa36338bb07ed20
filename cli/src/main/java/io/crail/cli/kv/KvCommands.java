// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail kv} and the names of its commands. */
@CommandLine.Command(
        name = "kv",
        synopsisSubcommandLabel = "COMMAND",
        description = "Works with tables of keys and values.",
        footer = {
            "",
            "Examples:",
            "  crail kv create /settings",
            "  crail kv put /settings colour blue",
            "  crail kv get /settings colour"
        })
public final class KvCommands {
    private KvCommands() {}

    /** The group, whose class carries its help. */
    public static KvCommands group() {
        return new KvCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("create", CreateCommand::new);
        commands.put("put", PutCommand::new);
        commands.put("get", GetCommand::new);
        commands.put("mput", MultiPutCommand::new);
        commands.put("mget", MultiGetCommand::new);
        commands.put("rm", RmCommand::new);
        commands.put("ls", LsCommand::new);
        return commands;
    }
}
