// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "rm",
        description = "Removes extended attributes.",
        footer = {"", "Example:", "  crail fs xattr rm /data/part-1 user.source user.key"})
final class RmCommand extends Command {
    @Option(
            names = {"-f", "--force"},
            description = "A missing attribute is no error.")
    private boolean force;

    @Parameters(index = "0", paramLabel = "PATH", description = "A file, directory or table.")
    private String path = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME", description = "What goes.")
    private List<String> names = new ArrayList<>();

    RmCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        for (String name : names) {
            invocation.attempt("xattr rm " + path + " " + name, () -> remove(name));
        }
    }

    private void remove(String name) throws IOException {
        if (!invocation.client().removeXattr(path, name) && !force) {
            throw Values.missing(path, name);
        }
    }
}
