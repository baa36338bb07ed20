// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Summary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "du",
        description = "Shows how much lies below each entry: bytes, bytes of blocks, nodes.",
        footer = {"", "Examples:", "  crail fs du -h /data", "  crail fs du -s '/data/*'"})
final class DuCommand extends Command {
    @Mixin private final SizeStyle sizes = new SizeStyle();

    @Option(
            names = {"-s", "--summarize"},
            description = "Shows only a total for each path.")
    private boolean summarize;

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", description = "What to measure. Default: /")
    private List<String> paths = new ArrayList<>(List.of("/"));

    private final Table table = Table.titled("BYTES>", "BLOCKS>", "NODES>", "PATH");
    private final List<Object> results = new ArrayList<>();

    DuCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        patterns.each(invocation, "du", paths, path -> measure(CrailPath.trim(path)));
        if (invocation.json()) {
            invocation.printJson(results);
        } else if (!table.isEmpty()) {
            table.print(invocation.out());
        }
    }

    private void measure(String path) throws IOException {
        CrailClient client = invocation.client();
        NodeStatus status = client.status(path);
        if (summarize || !Attributes.isDirectory(status)) {
            add(path, client.summary(path));
            return;
        }
        CrailIterator<DirectoryEntry> entries = client.list(path);
        while (entries.hasNext()) {
            String below = CrailPath.join(path, entries.next().name());
            invocation.attempt("du " + below, () -> add(below, client.summary(below)));
        }
    }

    private void add(String path, Summary.Reply summary) {
        long nodes =
                summary.directories() + summary.files() + summary.tables() + summary.keyValues();
        results.add(
                Json.object(
                        "path", path,
                        "length", summary.length(),
                        "allocated", summary.allocated(),
                        "directories", summary.directories(),
                        "files", summary.files(),
                        "tables", summary.tables(),
                        "keyValues", summary.keyValues()));
        table.row(
                sizes.text(summary.length()),
                sizes.text(summary.allocated()),
                Long.toString(nodes),
                path);
    }
}
