// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "rm",
        description =
                "Removes files, empty directories and, with -r, whole trees, multifiles and tables.",
        footer = {
            "",
            "Examples:",
            "  crail fs rm /data/part-1 '/data/tmp-*'",
            "  crail fs rm -r -f /data/old"
        })
final class RmCommand extends Command {
    @Option(
            names = {"-r", "-R", "--recursive"},
            description = "Removes everything below, too.")
    private boolean recursive;

    @Option(
            names = {"-f", "--force"},
            description = "A path that is not there is no error.")
    private boolean force;

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to remove.")
    private List<String> paths = new ArrayList<>();

    RmCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        patterns.each(invocation, "rm", paths, force, this::remove);
    }

    private void remove(String path) throws IOException {
        CrailClient client = invocation.client();
        if (CrailPath.trim(path).equals("/")) {
            throw new InvalidArgumentException("the root cannot be removed; name what is in it");
        }
        try {
            client.delete(path, recursive);
        } catch (NoSuchNodeException e) {
            if (!force) {
                throw e;
            }
        }
    }
}
