// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.client.CrailStream;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "trim",
        description = "Removes the records of a stream before an offset.",
        footer = {"", "Example:", "  crail stream trim /events 100000"})
final class TrimCommand extends Command {
    @Parameters(index = "0", paramLabel = "STREAM", description = "Path of the stream.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "OFFSET", description = "First record to keep.")
    private long offset;

    TrimCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        try (CrailStream stream = invocation.client().stream(path)) {
            long first = stream.trim(offset);
            if (invocation.json()) {
                invocation.printJson(Json.object("stream", path, "first", first));
            }
        }
    }
}
