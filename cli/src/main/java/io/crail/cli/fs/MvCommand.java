// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import io.crail.client.RenameOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "mv",
        description = "Moves and renames; data do not move.",
        footer = {
            "",
            "Examples:",
            "  crail fs mv /data/in /data/done",
            "  crail fs mv -f /new /current",
            "  crail fs mv '/data/{in,out}-[0-9]' /archive"
        })
final class MvCommand extends Command {
    @Option(
            names = {"-f", "--force"},
            description = "Replaces an existing target of the same kind.")
    private boolean force;

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(
            paramLabel = "PATH",
            arity = "2..*",
            description = "What to move, and last where: a new name, or a directory to move into.")
    private List<String> paths = new ArrayList<>();

    MvCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CrailClient client = invocation.client();
        RenameOption[] options =
                force ? new RenameOption[] {RenameOption.REPLACE} : new RenameOption[0];
        Target target = Target.of(client, paths, patterns);
        patterns.each(
                invocation,
                "mv",
                target.sources(),
                source -> {
                    String name = target.pathFor(CrailPath.name(source));
                    invocation.attempt(
                            "mv " + source + " to " + name,
                            () -> client.rename(source, name, options));
                });
    }
}
