// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "completion",
        description = "Prints a script that completes commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(crail completion bash)",
            "  source <(crail completion zsh)"
        })
final class CompletionCommand extends Command {
    @Parameters(paramLabel = "SHELL", arity = "1", description = "bash or zsh.")
    private String shell = "";

    CompletionCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        String script = AutoComplete.bash("crail", CommandTree.whole(invocation));
        switch (shell) {
            case "bash" -> invocation.out().print(script);
            // The script of picocli loads zsh's emulation of bash itself; compinit must come first.
            case "zsh" -> invocation.out().print("autoload -Uz compinit && compinit\n" + script);
            default ->
                    throw new InvalidArgumentException(
                            "no completion for '" + shell + "', only for bash and zsh");
        }
    }
}
