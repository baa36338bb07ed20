// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail bench} and the names of its commands. */
@CommandLine.Command(
        name = "bench",
        synopsisSubcommandLabel = "COMMAND",
        description = "Measures crail beside the limits of the machine.",
        footer = {
            "",
            "Examples:",
            "  crail bench targets --json FILE",
            "  crail bench targets --rows lookup_tcp,get100_tcp",
            "  crail bench metadata --threads 1,2,4",
            "  crail bench data --sizes 64KiB --transport shm",
            "  crail bench kv --namenode HOST:PORT",
            "  crail bench nvmf --json FILE",
            "  crail bench hadoop --json FILE",
            "  crail bench spark --json FILE"
        })
public final class BenchCommands {
    private BenchCommands() {}

    /** The group, whose class carries its help. */
    public static BenchCommands group() {
        return new BenchCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("targets", TargetsCommand::new);
        commands.put("metadata", MetadataCommand::new);
        commands.put("data", DataCommand::new);
        commands.put("kv", KvCommand::new);
        commands.put("nvmf", NvmfCommand::new);
        commands.put("hadoop", HadoopCommand::new);
        commands.put("spark", SparkCommand::new);
        commands.put(MemberCommand.NAME, MemberCommand::new);
        return commands;
    }
}
