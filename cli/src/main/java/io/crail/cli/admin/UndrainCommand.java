// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.protocol.message.ServerState;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "undrain",
        description = "Lets a storage server have new blocks again.",
        footer = {"", "Examples:", "  crail admin undrain 2"})
final class UndrainCommand extends Command {
    @Parameters(paramLabel = "SERVER", description = "Id of the server; crail fs df shows all.")
    private int server;

    UndrainCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        ServerState state = invocation.client().admin().undrain(server);
        String text = state.name().toLowerCase(Locale.ROOT);
        if (invocation.json()) {
            invocation.printJson(Json.object("server", server, "state", text));
        } else {
            invocation.out().println("storage server " + server + " is " + text);
        }
    }
}
