// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.JsonArray;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "ls",
        description = "Lists directories, multifiles and tables.",
        footer = {
            "",
            "Examples:",
            "  crail fs ls /",
            "  crail fs ls -l -h -R /data",
            "  crail fs ls --json '/data/part-*'"
        })
final class LsCommand extends Command {
    /** Rows that are held back so that their columns line up. */
    private static final int BATCH = 4096;

    @Option(names = "-l", description = "Shows mode, owner, group, size and time.")
    private boolean detailed;

    @Option(
            names = {"-R", "--recursive"},
            description = "Lists everything below, too.")
    private boolean recursive;

    @Option(names = "-h", description = "Shows sizes with units.")
    private boolean human;

    @Option(names = "-d", description = "Shows directories themselves instead of their content.")
    private boolean themselves;

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", description = "What to list. Default: /")
    private List<String> paths = new ArrayList<>(List.of("/"));

    private @Nullable JsonArray array;
    private Table table = newTable();
    private int rows;
    private boolean first = true;

    LsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        if (!invocation.json()) {
            listAll();
            return;
        }
        try (JsonArray open = new JsonArray(invocation.out())) {
            array = open;
            listAll();
        }
    }

    private void listAll() {
        patterns.each(
                invocation,
                "ls",
                paths,
                path -> {
                    try {
                        list(CrailPath.trim(path));
                    } finally {
                        flush();
                    }
                });
    }

    private void list(String path) throws IOException {
        NodeStatus status = invocation.client().status(path);
        if (themselves || !status.type().isContainer()) {
            show(path, path, status);
            first = false;
            return;
        }
        Deque<DirectoryEntry> pending = new ArrayDeque<>();
        pending.push(new DirectoryEntry(path, status));
        boolean headings = array == null && (patterns.mayBeSeveral(paths) || recursive);
        while (!pending.isEmpty()) {
            DirectoryEntry container = pending.pop();
            if (headings) {
                flush();
                invocation.out().println((first ? "" : "\n") + container.name() + ":");
                first = false;
            }
            List<DirectoryEntry> below = listOne(container);
            for (int i = below.size() - 1; i >= 0; i--) {
                pending.push(below.get(i));
            }
        }
    }

    /** Shows the entries of one container and returns those to descend into. */
    private List<DirectoryEntry> listOne(DirectoryEntry container) throws IOException {
        List<DirectoryEntry> below = new ArrayList<>();
        CrailIterator<DirectoryEntry> entries =
                Listing.of(invocation.client(), container.name(), container.status());
        while (entries.hasNext()) {
            DirectoryEntry entry = entries.next();
            String path = CrailPath.join(container.name(), entry.name());
            show(entry.name(), path, entry.status());
            if (recursive && Attributes.hasNames(entry.status())) {
                below.add(new DirectoryEntry(path, entry.status()));
            }
        }
        return below;
    }

    private void show(String name, String path, NodeStatus status) {
        if (array != null) {
            array.add(Attributes.json(path, status));
            return;
        }
        String shown =
                status.type().isContainer()
                        ? invocation.console().paint(Colour.CONTAINER, name)
                        : name;
        if (!detailed) {
            invocation.out().println(shown);
            return;
        }
        table.row(
                Attributes.mode(status),
                status.owner(),
                status.group(),
                Attributes.size(status.length(), human),
                Attributes.time(status.modifiedMillis()),
                shown);
        if (++rows == BATCH) {
            flush();
        }
    }

    private void flush() {
        table.print(invocation.out());
        table = newTable();
        rows = 0;
    }

    private static Table newTable() {
        return Table.untitled("mode", "owner", "group", "size>", "time", "name");
    }
}
