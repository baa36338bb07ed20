// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "completion",
        description =
                "Prints a script that completes commands, options, and paths: those of crail, too.",
        footer = {
            "",
            "Paths of crail are asked for when a word begins with /. A cluster that does not answer",
            "within a second has none.",
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
        String script = AutoComplete.bash("crail", CommandTree.whole(invocation)) + paths();
        switch (shell) {
            case "bash" -> invocation.out().print(script);
            // The script of picocli loads zsh's emulation of bash itself; compinit must come first.
            case "zsh" -> invocation.out().print("autoload -Uz compinit && compinit\n" + script);
            default ->
                    throw new InvalidArgumentException(
                            "no completion for '" + shell + "', only for bash and zsh");
        }
    }

    /** By the path of the launcher: on the command line crail may be an alias, or a function. */
    private static String paths() throws IOException {
        String home = System.getProperty(Invocation.HOME_PROPERTY);
        String launcher = home == null ? "crail" : Path.of(home, "bin", "crail").toString();
        try (InputStream script =
                Objects.requireNonNull(
                        CompletionCommand.class.getResourceAsStream("completion.sh"))) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            return text.replace("@LAUNCHER@", "'" + launcher.replace("'", "'\\''") + "'");
        }
    }
}
