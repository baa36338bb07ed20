// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "get",
        description = "Copies files out of crail.",
        footer = {
            "",
            "A file appears under its name when it is complete. Examples:",
            "  crail fs get /data/part-1",
            "  crail fs get '/data/part-[1-4]' results",
            "  crail fs get -r -f /data results",
            "  crail fs get /backup.tar - | tar t"
        })
final class GetCommand extends Command {
    @Option(
            names = {"-f", "--force"},
            description = "Replaces existing local files.")
    private boolean force;

    @Option(
            names = {"-r", "-R", "--recursive"},
            description =
                    "Copies directories, and the members of multifiles; else a multifile becomes"
                            + " one file.")
    private boolean recursive;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "Files in flight. Default: ${DEFAULT-VALUE}")
    private int parallel;

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description =
                    "What to copy, and last where: a new local name, a local directory, or - for"
                            + " standard output. With one path: into the working directory.")
    private List<String> paths = new ArrayList<>();

    GetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Workers.check(parallel);
        CrailClient client = invocation.client();
        List<String> sources = paths.size() == 1 ? paths : paths.subList(0, paths.size() - 1);
        String target = paths.size() == 1 ? "." : paths.get(paths.size() - 1);
        if (target.equals("-")) {
            patterns.each(
                    invocation,
                    "get",
                    sources,
                    source -> StandardOutput.copy(client, source, invocation.out()));
            return;
        }
        Path local = Path.of(target);
        boolean into = Files.isDirectory(local);
        if (!into && patterns.areSeveral(client, sources)) {
            throw new NotDirectoryException(target);
        }
        try (Progress progress = Progress.of(invocation.console(), "get");
                Parallel workers = new Parallel(invocation, parallel)) {
            Download download = new Download(invocation, client, force, workers, progress);
            patterns.each(
                    invocation,
                    "get",
                    sources,
                    source -> {
                        String path = CrailPath.trim(source);
                        Path place = into ? local.resolve(CrailPath.name(path)) : local;
                        get(path, place, download);
                    });
        }
    }

    private void get(String source, Path target, Download download) throws IOException {
        NodeStatus status = invocation.client().status(source);
        if (!status.type().isContainer()) {
            download.file(source, status.length(), target);
        } else if (Attributes.isMultiFile(status) && !recursive) {
            download.file(source, invocation.client().summary(source).length(), target);
        } else if (!Attributes.hasNames(status)) {
            throw new InvalidArgumentException(source + " is a table; 'crail kv' reads its values");
        } else if (recursive) {
            download.tree(source, target);
        } else {
            throw new InvalidArgumentException(source + " is a directory; use -r to copy it");
        }
    }
}
