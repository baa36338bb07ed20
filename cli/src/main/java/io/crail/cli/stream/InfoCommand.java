// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailStream;
import io.crail.client.StreamInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "info",
        description = "Shows which records streams hold.",
        footer = {"", "Example:", "  crail stream info /events /samples"})
final class InfoCommand extends Command {
    @Parameters(paramLabel = "STREAM", arity = "1..*", description = "Paths of streams.")
    private List<String> paths = new ArrayList<>();

    InfoCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        List<Object> objects = new ArrayList<>();
        Table table = Table.titled("first>", "next>", "records>", "bytes>", "stream");
        invocation.client();
        for (String path : paths) {
            invocation.attempt("info " + path, () -> add(path, objects, table));
        }
        if (invocation.json()) {
            invocation.printJson(objects);
        } else if (!objects.isEmpty()) {
            table.print(invocation.out());
        }
    }

    private void add(String path, List<Object> objects, Table table) throws IOException {
        try (CrailStream stream = invocation.client().stream(path)) {
            StreamInfo info = stream.info();
            objects.add(
                    Json.object(
                            "stream", path,
                            "first", info.first(),
                            "next", info.next(),
                            "records", info.records(),
                            "bytes", info.bytes()));
            table.row(
                    "" + info.first(),
                    "" + info.next(),
                    "" + info.records(),
                    "" + info.bytes(),
                    path);
        }
    }
}
