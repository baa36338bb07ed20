// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "ls",
        description = "Lists the extended attributes of a node, in order of their names.",
        footer = {
            "",
            "With -l values that are no text are Base64 behind 0s. Examples:",
            "  crail fs xattr ls /data/part-1",
            "  crail fs xattr ls -l /data/part-1"
        })
final class LsCommand extends Command {
    @Option(names = "-l", description = "Shows values, too.")
    private boolean detailed;

    @Parameters(paramLabel = "PATH", arity = "1", description = "A file, directory or table.")
    private String path = "";

    LsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        if (invocation.json()) {
            List<Map<String, @Nullable Object>> all = new ArrayList<>();
            invocation
                    .client()
                    .getXattrs(path)
                    .forEach((name, value) -> all.add(Values.json(name, value)));
            invocation.printJson(all);
        } else if (detailed) {
            Table table = Table.untitled("name", "value");
            invocation
                    .client()
                    .getXattrs(path)
                    .forEach((name, value) -> table.row(name, Values.shown(value)));
            table.print(invocation.out());
        } else {
            invocation.client().listXattrs(path).forEach(invocation.out()::println);
        }
    }
}
