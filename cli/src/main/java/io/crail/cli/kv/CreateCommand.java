// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

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
        name = "create",
        description = "Makes tables; 'crail fs rm -r' removes them.",
        footer = {"", "Example:", "  crail kv create -p /jobs/7/state"})
final class CreateCommand extends Command {
    @Option(
            names = {"-p", "--parents"},
            description = "Makes missing parents; an existing table is no error.")
    private boolean parents;

    @Parameters(paramLabel = "TABLE", arity = "1..*", description = "Tables to make.")
    private List<String> paths = new ArrayList<>();

    CreateCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CreateOptions options = parents ? CreateOptions.PARENTS : CreateOptions.DEFAULT;
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "create " + path, () -> invocation.client().createTable(path, options));
        }
    }
}
