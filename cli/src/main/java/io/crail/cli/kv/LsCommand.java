// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.JsonArray;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailIterator;
import io.crail.client.TableEntry;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "ls",
        description = "Lists the keys of a table, in order of their bytes.",
        footer = {
            "",
            "Examples:",
            "  crail kv ls /settings",
            "  crail kv ls -l --after m --limit 100 /settings"
        })
final class LsCommand extends Command {
    /** Rows that are held back so that their columns line up. */
    private static final int BATCH = 4096;

    @Option(names = "-l", description = "Shows size, version, time and time to live.")
    private boolean detailed;

    @Option(names = "-h", description = "Shows sizes with units.")
    private boolean human;

    @Option(names = "--hex", description = "Shows keys in hexadecimal.")
    private boolean hex;

    @Option(names = "--after", paramLabel = "KEY", description = "Begins behind that key.")
    private @Nullable String after;

    @Option(names = "--limit", paramLabel = "N", description = "Lists at most so many keys.")
    private long limit = Long.MAX_VALUE;

    @Parameters(paramLabel = "TABLE", arity = "1", description = "Path of the table.")
    private String table = "";

    LsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        byte[] cursor = after == null ? new byte[0] : Keys.parse(after, hex);
        CrailIterator<TableEntry> entries = invocation.client().table(table).scan(cursor, false);
        if (invocation.json()) {
            printJson(entries);
        } else {
            print(entries);
        }
    }

    private void printJson(CrailIterator<TableEntry> entries) throws IOException {
        // The first page is fetched before anything is printed: a missing table is only an error.
        entries.hasNext();
        try (JsonArray array = new JsonArray(invocation.out())) {
            for (long left = limit; left > 0 && entries.hasNext(); left--) {
                TableEntry entry = entries.next();
                Map<String, @Nullable Object> json =
                        Json.object(
                                "key", Keys.format(entry.key(), hex || !Keys.isText(entry.key())),
                                "hex", hex || !Keys.isText(entry.key()),
                                "length", entry.length(),
                                "version", entry.version(),
                                "modified",
                                        Instant.ofEpochMilli(entry.modifiedMillis()).toString());
                if (entry.remainingMillis() >= 0) {
                    json.put("remainingMillis", entry.remainingMillis());
                }
                array.add(json);
            }
        }
    }

    private void print(CrailIterator<TableEntry> entries) throws IOException {
        Table rows = newTable();
        int count = 0;
        for (long left = limit; left > 0 && entries.hasNext(); left--) {
            TableEntry entry = entries.next();
            String key = Keys.format(entry.key(), hex);
            if (!detailed) {
                invocation.out().println(key);
                continue;
            }
            rows.row(
                    human ? new ByteSize(entry.length()).rounded() : "" + entry.length(),
                    Long.toString(entry.version()),
                    Instant.ofEpochMilli(entry.modifiedMillis()).toString(),
                    entry.remainingMillis() < 0
                            ? Lifetimes.NONE
                            : Lifetimes.format(entry.remainingMillis()),
                    key);
            if (++count % BATCH == 0) {
                rows.print(invocation.out());
                rows = newTable();
            }
        }
        rows.print(invocation.out());
    }

    private static Table newTable() {
        return Table.untitled("size>", "version>", "time", "ttl>", "key");
    }
}
