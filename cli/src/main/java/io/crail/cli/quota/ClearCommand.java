// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quota;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.Quota;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "clear",
        description = "Takes all limits away.",
        footer = {"", "Example:", "  crail fs quota clear /team"})
final class ClearCommand extends Command {
    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Directories or tables.")
    private List<String> paths = new ArrayList<>();

    ClearCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "quota clear " + path, () -> invocation.client().setQuota(path, Quota.NONE));
        }
    }
}
