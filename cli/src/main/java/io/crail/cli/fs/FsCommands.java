// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail fs} and the names of its commands. */
@CommandLine.Command(
        name = "fs",
        synopsisSubcommandLabel = "COMMAND",
        description = "Works with files and directories.",
        footer = {
            "",
            "Paths of crail are absolute. In those of ls, get, cat, cp, mv, rm, stat and du, quoted",
            "from the shell, * stands for any characters, ? for one, [a-z] for one of these, [^a-z]",
            "for none of these, {a,b} for either; \\ takes the next character as it is. What exists",
            "under that very name is itself. Examples:",
            "  crail fs mkdir -p /data/in",
            "  crail fs put -r results /data/in",
            "  crail fs ls -l -h /data/in"
        })
public final class FsCommands {
    private FsCommands() {}

    /** The group, whose class carries its help. */
    public static FsCommands group() {
        return new FsCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("ls", LsCommand::new);
        commands.put("mkdir", MkdirCommand::new);
        commands.put("mkmulti", MakeMultiCommand::new);
        commands.put("put", PutCommand::new);
        commands.put("get", GetCommand::new);
        commands.put("cat", CatCommand::new);
        commands.put("cp", CpCommand::new);
        commands.put("mv", MvCommand::new);
        commands.put("concat", ConcatCommand::new);
        commands.put("truncate", TruncateCommand::new);
        commands.put("rm", RmCommand::new);
        commands.put("stat", StatCommand::new);
        commands.put("du", DuCommand::new);
        commands.put("df", DfCommand::new);
        commands.put("tail", TailCommand::new);
        commands.put("touch", TouchCommand::new);
        commands.put("ttl", TtlCommand::new);
        commands.put("chmod", ChmodCommand::new);
        commands.put("class", ClassCommand::new);
        commands.put("chown", ChownCommand::new);
        commands.put("checksum", ChecksumCommand::new);
        commands.put("locations", LocationsCommand::new);
        commands.put("complete-path", CompletePathCommand::new);
        return commands;
    }
}
