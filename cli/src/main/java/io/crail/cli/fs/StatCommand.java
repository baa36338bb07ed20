// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.cli.terminal.JsonArray;
import io.crail.cli.terminal.Table;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "stat",
        description = "Shows all attributes.",
        footer = {"", "Examples:", "  crail fs stat /data/part-1", "  crail fs stat --json /data"})
final class StatCommand extends Command {
    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to show.")
    private List<String> paths = new ArrayList<>();

    StatCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        if (!invocation.json()) {
            patterns.each(invocation, "stat", paths, this::show);
            return;
        }
        try (JsonArray array = new JsonArray(invocation.out())) {
            patterns.each(
                    invocation,
                    "stat",
                    paths,
                    path -> array.add(Attributes.json(path, invocation.client().status(path))));
        }
    }

    private void show(String path) throws IOException {
        NodeStatus status = invocation.client().status(path);
        Table table = Table.untitled("name", "value");
        table.row("path", path);
        table.row("type", Attributes.type(status));
        table.row("id", Long.toString(status.id()));
        table.row("length", status.length() + " (" + new ByteSize(status.length()).rounded() + ")");
        table.row("allocated", Long.toString(status.allocated()));
        if (status.type().isContainer()) {
            table.row("children", Long.toString(status.children()));
        }
        table.row("mode", Attributes.mode(status) + String.format(" (%04o)", status.mode()));
        table.row("owner", status.owner() + ":" + status.group());
        table.row("modified", Instant.ofEpochMilli(status.modifiedMillis()).toString());
        table.row("accessed", Instant.ofEpochMilli(status.accessedMillis()).toString());
        table.row("created", Instant.ofEpochMilli(status.createdMillis()).toString());
        table.row("version", Long.toString(status.version()));
        table.row("storage class", Integer.toString(status.storageClass()));
        if (!status.locationClass().isEmpty()) {
            table.row("location", status.locationClass());
        }
        if (status.remainingMillis() >= 0) {
            table.row("lives for", Lifetimes.format(status.remainingMillis()));
        }
        table.row("flags", flags(status));
        table.print(invocation.out());
    }

    private static String flags(NodeStatus status) {
        List<String> flags = new ArrayList<>();
        flags.add(status.has(NodeStatus.CHECKSUMS) ? "checksums" : "no checksums");
        if (status.has(NodeStatus.OPEN_FOR_WRITING)) {
            flags.add("open for writing");
        }
        if (status.has(NodeStatus.SESSION_BOUND)) {
            flags.add("bound to its session");
        }
        return String.join(", ", flags);
    }
}
