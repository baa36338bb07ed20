// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "help",
        description = "Shows the help of a command.",
        footer = {"", "Example:", "  crail help fs put"})
final class HelpCommand extends Command {
    @Parameters(paramLabel = "COMMAND", description = "Words of the command.")
    private List<String> words = new ArrayList<>();

    HelpCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CommandLine command = CommandTree.whole(invocation);
        for (String word : words) {
            command = command.getSubcommands().get(word);
            if (command == null) {
                throw new InvalidArgumentException(
                        "there is no command '" + String.join(" ", words) + "'");
            }
        }
        invocation.out().print(command.getUsageMessage(CommandLine.Help.Ansi.OFF));
    }
}
