// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "put",
        description = "Copies local files into crail, or adds them to a multifile.",
        footer = {
            "",
            "A file appears under its name when it is complete. Examples:",
            "  crail fs put part-1 part-2 /data",
            "  crail fs put -r -f results /data",
            "  crail fs put --ttl 2h intermediate.parquet /data",
            "  crail fs put --class 1 history.parquet /data",
            "  tar c src | crail fs put - /backup.tar",
            "  date | crail fs put - /log.multi",
            "Into a multifile, standard input goes under a name that is made up, and printed."
        })
final class PutCommand extends Command {
    @Option(
            names = {"-f", "--force"},
            description = "Replaces existing files.")
    private boolean force;

    @Option(
            names = {"-r", "-R", "--recursive"},
            description = "Copies directories, too.")
    private boolean recursive;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "Time after which the files go, counted from when each is complete.")
    private @Nullable String ttl;

    @Option(
            names = "--class",
            paramLabel = "N",
            description =
                    "Storage class of the files, 0..255: the best one that they may use. Default:"
                            + " that of their directory.")
    private @Nullable Integer storageClass;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "Files in flight. Default: ${DEFAULT-VALUE}")
    private int parallel;

    @Parameters(
            paramLabel = "PATH",
            arity = "2..*",
            description =
                    "Local files or directories, or - for standard input; last where in crail: a"
                            + " new name, a directory, or a multifile.")
    private List<String> paths = new ArrayList<>();

    PutCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Workers.check(parallel);
        Duration lifetime = Lifetimes.parse("--ttl", ttl);
        if (storageClass != null) {
            StorageClassOption.check(storageClass);
        }
        CrailClient client = invocation.client();
        Target target = Target.of(client, paths);
        RemoteWrite write = new RemoteWrite(invocation, client, force, lifetime, storageClass);
        try (Progress progress = Progress.of(invocation.console(), "put");
                Parallel workers = new Parallel(invocation, parallel)) {
            Upload upload = new Upload(invocation, client, write, workers, progress);
            for (String source : target.sources()) {
                invocation.attempt("put " + source, () -> put(source, target, write, upload));
            }
            upload.flush();
        }
    }

    private void put(String source, Target target, RemoteWrite write, Upload upload)
            throws IOException {
        if (source.equals("-")) {
            if (target.multiFile()) {
                String member =
                        write.writeMember(
                                target.path(), out -> copy(invocation.console().in(), out));
                invocation.out().println(member);
                return;
            }
            if (target.directory()) {
                throw new InvalidArgumentException(
                        "standard input needs a name; " + target.path() + " is a directory");
            }
            write.write(target.path(), 0, out -> copy(invocation.console().in(), out));
            return;
        }
        Path local = Path.of(source);
        String name = local.toAbsolutePath().normalize().getFileName() + "";
        String remote = target.pathFor(name);
        if (!Files.exists(local)) {
            throw new NoSuchFileException(source);
        }
        if (!Files.isDirectory(local)) {
            upload.file(local, remote);
        } else if (recursive) {
            upload.tree(local, remote);
        } else {
            throw new InvalidArgumentException(source + " is a directory; use -r to copy it");
        }
    }

    private static void copy(InputStream in, CrailOutputStream out) throws IOException {
        byte[] buffer = new byte[Content.BUFFER];
        for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
            out.write(buffer, 0, bytes);
        }
    }
}
