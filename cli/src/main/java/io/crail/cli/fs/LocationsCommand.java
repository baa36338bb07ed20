// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.client.BlockLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "locations",
        description = "Shows on which servers the bytes of a file lie.",
        footer = {"", "Example:", "  crail fs locations /data/part-1"})
final class LocationsCommand extends Command {
    @Parameters(paramLabel = "PATH", arity = "1", description = "A file.")
    private String path = "";

    LocationsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        List<BlockLocation> locations = invocation.client().locations(path);
        if (invocation.json()) {
            invocation.printJson(json(locations));
            return;
        }
        Table table = Table.titled("OFFSET>", "LENGTH>", "SERVER>", "ENDPOINT", "CLASS>", "PLACE");
        for (BlockLocation location : locations) {
            table.row(
                    Long.toString(location.offset()),
                    Long.toString(location.length()),
                    Integer.toString(location.server()),
                    location.endpoint().isEmpty() ? "out of reach" : location.endpoint(),
                    Integer.toString(location.storageClass()),
                    location.locationClass());
        }
        table.print(invocation.out());
    }

    private static List<Object> json(List<BlockLocation> locations) {
        List<Object> list = new ArrayList<>();
        for (BlockLocation location : locations) {
            list.add(
                    Json.object(
                            "offset", location.offset(),
                            "length", location.length(),
                            "server", location.server(),
                            "host", location.host(),
                            "endpoint", location.endpoint(),
                            "storageClass", location.storageClass(),
                            "locationClass", location.locationClass()));
        }
        return list;
    }
}
