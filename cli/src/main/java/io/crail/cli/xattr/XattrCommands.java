// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail fs xattr} and the names of its commands. */
@CommandLine.Command(
        name = "xattr",
        synopsisSubcommandLabel = "COMMAND",
        description = "Works with extended attributes: small values that a node has.",
        footer = {
            "",
            "Names begin with user. or trusted. and have up to 255 bytes, values up to 4 KiB; all",
            "of a node have up to 16 KiB. Examples:",
            "  crail fs xattr set /data/part-1 user.source kafka",
            "  crail fs xattr get /data/part-1 user.source",
            "  crail fs xattr ls /data/part-1"
        })
public final class XattrCommands {
    private XattrCommands() {}

    /** The group, whose class carries its help. */
    public static XattrCommands group() {
        return new XattrCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("set", SetCommand::new);
        commands.put("get", GetCommand::new);
        commands.put("ls", LsCommand::new);
        commands.put("rm", RmCommand::new);
        return commands;
    }
}
