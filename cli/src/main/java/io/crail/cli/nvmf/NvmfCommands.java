// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail nvmf} and the names of its commands. */
@CommandLine.Command(
        name = "nvmf",
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Serves a file or a disk over NVMe/TCP to any host, and finds out what others serve."
                        + " Needs no cluster.",
        footer = {
            "",
            "Examples:",
            "  crail nvmf target --file disk.img --size 20GiB --nqn nqn.2026-11.com.example:disk"
                    + " --any-host",
            "  crail nvmf discover tcp:127.0.0.1:4420"
        })
public final class NvmfCommands {
    private NvmfCommands() {}

    /** The group, whose class carries its help. */
    public static NvmfCommands group() {
        return new NvmfCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> commands = new LinkedHashMap<>();
        commands.put("target", TargetCommand::new);
        commands.put("discover", DiscoverCommand::new);
        return commands;
    }
}
