// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "cp",
        description = "Copies within crail.",
        footer = {
            "",
            "Examples:",
            "  crail fs cp /data/part-1 /backup",
            "  crail fs cp -r -f /data /backup"
        })
final class CpCommand extends Command {
    private static final CreateOptions DIRECTORY = CreateOptions.builder().existingOk(true).build();

    @Option(
            names = {"-f", "--force"},
            description = "Replaces existing files.")
    private boolean force;

    @Option(
            names = {"-r", "-R", "--recursive"},
            description =
                    "Copies directories and multifiles as such; else a multifile becomes a file.")
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
            arity = "2..*",
            description = "What to copy, and last where: a new name, or a directory.")
    private List<String> paths = new ArrayList<>();

    CpCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Workers.check(parallel);
        Target target = Target.of(invocation.client(), paths, patterns);
        try (Progress progress = Progress.of(invocation.console(), "cp");
                Parallel workers = new Parallel(invocation, parallel)) {
            patterns.each(
                    invocation,
                    "cp",
                    target.sources(),
                    source -> {
                        String path = CrailPath.trim(source);
                        copy(path, target.pathFor(CrailPath.name(path)), workers, progress);
                    });
        }
    }

    private void copy(String source, String target, Parallel workers, Progress progress)
            throws IOException {
        NodeStatus status = invocation.client().status(source);
        if (!status.type().isContainer()) {
            file(source, status.length(), target, workers, progress);
        } else if (Attributes.isMultiFile(status) && !recursive) {
            file(source, invocation.client().summary(source).length(), target, workers, progress);
        } else if (!Attributes.hasNames(status)) {
            throw new InvalidArgumentException(source + " is a table, which cannot be copied");
        } else if (!recursive) {
            throw new InvalidArgumentException(source + " is a directory; use -r to copy it");
        } else if (CrailPath.isWithin(target, source)) {
            throw new InvalidArgumentException("cannot copy " + source + " into itself, " + target);
        } else {
            tree(source, status, target, workers, progress);
        }
    }

    private void tree(
            String source, NodeStatus status, String target, Parallel workers, Progress progress)
            throws IOException {
        CrailClient client = invocation.client();
        if (Attributes.isMultiFile(status)) {
            client.createMultiFile(target, DIRECTORY);
        } else {
            client.mkdir(target, DIRECTORY);
        }
        CrailIterator<DirectoryEntry> entries = client.list(source);
        while (entries.hasNext()) {
            DirectoryEntry entry = entries.next();
            String from = CrailPath.join(source, entry.name());
            String to = CrailPath.join(target, entry.name());
            if (Attributes.hasNames(entry.status())) {
                invocation.attempt(
                        "cp " + from, () -> tree(from, entry.status(), to, workers, progress));
            } else {
                invocation.attempt("cp " + from, () -> copy(from, to, workers, progress));
            }
        }
    }

    private void file(
            String source, long length, String target, Parallel workers, Progress progress)
            throws IOException {
        if (CrailPath.trim(target).equals(source)) {
            throw new InvalidArgumentException(source + " and " + target + " are the same");
        }
        CrailClient client = invocation.client();
        RemoteWrite write = new RemoteWrite(invocation, client, force, Duration.ZERO, null);
        progress.expect(length);
        workers.submit(
                "cp " + source + " to " + target,
                () -> write.write(target, length, out -> copyBytes(source, out, progress)));
    }

    private void copyBytes(String source, CrailOutputStream out, Progress progress)
            throws IOException {
        try (Content content = Content.open(invocation.client(), source)) {
            int size = content.pieceBytes();
            ByteBuffer buffer = TransferBuffer.take(size);
            while (content.read(buffer) >= 0) {
                long bytes = buffer.flip().remaining();
                out.append(buffer);
                progress.add(bytes);
                buffer.clear().limit(size);
            }
        }
    }
}
