// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "cat",
        description =
                "Prints the content of files, and of multifiles in order of their members' names.",
        footer = {"", "Example:", "  crail fs cat '/logs/2024-*' | grep ERROR"})
final class CatCommand extends Command {
    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to print.")
    private List<String> paths = new ArrayList<>();

    CatCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        patterns.each(
                invocation,
                "cat",
                paths,
                path -> StandardOutput.copy(invocation.client(), path, invocation.out()));
    }
}
