// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "get",
        description = "Prints the value of an extended attribute, byte for byte.",
        footer = {
            "",
            "With --json the value is text if it can be, else Base64. Examples:",
            "  crail fs xattr get /data/part-1 user.source",
            "  crail fs xattr get --json /data/part-1 user.key"
        })
final class GetCommand extends Command {
    @Parameters(index = "0", paramLabel = "PATH", description = "A file, directory or table.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the attribute.")
    private String name = "";

    GetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        byte[] value =
                invocation
                        .client()
                        .getXattr(path, name)
                        .orElseThrow(() -> Values.missing(path, name));
        if (invocation.json()) {
            invocation.printJson(Values.json(name, value));
            return;
        }
        invocation.out().write(value, 0, value.length);
        if (invocation.console().outIsTerminal()) {
            invocation.out().println();
        }
    }
}
