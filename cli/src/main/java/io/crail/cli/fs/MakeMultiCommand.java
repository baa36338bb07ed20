// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "mkmulti",
        description = "Makes multifiles: files that are written in parallel and read as one.",
        footer = {
            "",
            "Members are added by 'fs put', listed by 'fs ls', read as one by 'fs cat'. Examples:",
            "  crail fs mkmulti /logs/today",
            "  crail fs put part-1 part-2 /logs/today",
            "  crail fs cat /logs/today"
        })
final class MakeMultiCommand extends Command {
    @Option(
            names = {"-p", "--parents"},
            description = "Makes missing parents; an existing multifile is no error.")
    private boolean parents;

    @Option(
            names = "--location",
            paramLabel = "CLASS",
            description = "Location class near which blocks of files below are placed.")
    private String location = "";

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Multifiles to make.")
    private List<String> paths = new ArrayList<>();

    MakeMultiCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CreateOptions options =
                CreateOptions.builder()
                        .parents(parents)
                        .existingOk(parents)
                        .locationClass(location)
                        .build();
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "mkmulti " + path, () -> invocation.client().createMultiFile(path, options));
        }
    }
}
