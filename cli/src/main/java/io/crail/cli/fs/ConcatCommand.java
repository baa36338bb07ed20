// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "concat",
        description = {
            "Appends files to another one, in the order given, and removes their names: one step,",
            "whatever their size; data do not move. At most 1000 files at a time."
        },
        footer = {
            "",
            "Examples:",
            "  crail fs concat /out/all /out/part-1 /out/part-2",
            "  crail fs touch /out/all && crail fs concat /out/all '/out/part-*'"
        })
final class ConcatCommand extends Command {
    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(index = "0", paramLabel = "TARGET", description = "The file that grows.")
    private String target = "";

    @Parameters(
            index = "1..*",
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "What is appended and goes; a pattern means files in order of their names.")
    private List<String> paths = new ArrayList<>();

    ConcatCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CrailClient client = invocation.client();
        client.concat(target, patterns.all(client, paths));
    }
}
