// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "mkdir",
        description = "Makes directories.",
        footer = {
            "",
            "Examples:",
            "  crail fs mkdir -p /data/in/2024",
            "  crail fs mkdir --class 1 /archive"
        })
final class MkdirCommand extends Command {
    @Option(
            names = {"-p", "--parents"},
            description = "Makes missing parents; an existing directory is no error.")
    private boolean parents;

    @Option(
            names = "--location",
            paramLabel = "CLASS",
            description = "Location class near which blocks of files below are placed.")
    private String location = "";

    @Option(
            names = "--class",
            paramLabel = "N",
            description =
                    "Storage class of what is made below, 0..255: the best one that it may use."
                            + " Default: that of the directory above.")
    private @Nullable Integer storageClass;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "Time after which the directories go, with all below, such as 2h.")
    private @Nullable String ttl;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Directories to make.")
    private List<String> paths = new ArrayList<>();

    MkdirCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CreateOptions.Builder builder =
                CreateOptions.builder()
                        .parents(parents)
                        .existingOk(parents)
                        .locationClass(location)
                        .lifetime(Lifetimes.parse("--ttl", ttl));
        if (storageClass != null) {
            builder.storageClass(StorageClassOption.check(storageClass));
        }
        CreateOptions options = builder.build();
        invocation.client();
        for (String path : paths) {
            invocation.attempt("mkdir " + path, () -> invocation.client().mkdir(path, options));
        }
    }
}
