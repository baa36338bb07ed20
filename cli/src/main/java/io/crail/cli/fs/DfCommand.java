// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.error.ProtocolException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

@CommandLine.Command(
        name = "df",
        description = "Shows capacity by storage class and by server.",
        footer = {"", "Examples:", "  crail fs df -h", "  crail fs df -b"})
final class DfCommand extends Command {
    @Mixin private final SizeStyle sizes = new SizeStyle();

    DfCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Statistics.Reply statistics = invocation.client().statistics();
        if (invocation.json()) {
            invocation.printJson(json(statistics));
            return;
        }
        classes(statistics).print(invocation.out());
        invocation.out().println();
        servers(statistics).print(invocation.out());
        invocation
                .out()
                .println(
                        "\ninline values: "
                                + size(statistics.inlineBytes())
                                + " of "
                                + size(statistics.inlineLimit())
                                + (statistics.readOnly() ? "; the namenode is READ-ONLY" : ""));
    }

    private Table classes(Statistics.Reply statistics) {
        Table table =
                Table.titled("CLASS>", "CAPACITY>", "USED>", "FREE>", "USE>", "FREEING>", "LOST>");
        for (Statistics.Capacity capacity : statistics.classes()) {
            long used = capacity.granted() + capacity.committed();
            table.row(
                    Integer.toString(capacity.storageClass()),
                    size(capacity.capacity()),
                    size(used),
                    size(capacity.free()),
                    percent(used, capacity.capacity()),
                    size(capacity.revoking() + capacity.quarantined()),
                    size(capacity.lost()));
        }
        return table;
    }

    private Table servers(Statistics.Reply statistics) throws ProtocolException {
        Table table =
                Table.titled(
                        "SERVER>", "HOST", "STATE", "CLASS>", "CAPACITY>", "FREE>", "LOST BLOCKS>");
        for (Statistics.ServerCapacity server : statistics.servers()) {
            table.row(
                    Integer.toString(server.id()),
                    server.host(),
                    state(server),
                    Integer.toString(server.storageClass()),
                    size(server.capacity()),
                    size(server.free()),
                    Long.toString(server.lostBlocks()));
        }
        return table;
    }

    private static Object json(Statistics.Reply statistics) throws ProtocolException {
        List<Object> classes = new ArrayList<>();
        for (Statistics.Capacity capacity : statistics.classes()) {
            classes.add(
                    Json.object(
                            "storageClass", capacity.storageClass(),
                            "capacity", capacity.capacity(),
                            "free", capacity.free(),
                            "granted", capacity.granted(),
                            "committed", capacity.committed(),
                            "revoking", capacity.revoking(),
                            "quarantined", capacity.quarantined(),
                            "lost", capacity.lost()));
        }
        List<Object> servers = new ArrayList<>();
        for (Statistics.ServerCapacity server : statistics.servers()) {
            servers.add(
                    Json.object(
                            "id", server.id(),
                            "host", server.host(),
                            "state", state(server),
                            "storageClass", server.storageClass(),
                            "capacity", server.capacity(),
                            "free", server.free(),
                            "lostBlocks", server.lostBlocks(),
                            "silentMillis", server.silentMillis()));
        }
        return Json.object(
                "classes", classes,
                "servers", servers,
                "inlineBytes", statistics.inlineBytes(),
                "inlineLimit", statistics.inlineLimit(),
                "readOnly", statistics.readOnly());
    }

    private static String state(Statistics.ServerCapacity server) throws ProtocolException {
        return ServerState.ofWire(server.state()).name().toLowerCase(Locale.ROOT);
    }

    private String size(long bytes) {
        return sizes.text(bytes);
    }

    /** Rounded up, as df does: what is used at all is more than 0 %. */
    static String percent(long part, long whole) {
        return whole == 0 ? "-" : (long) Math.ceil(100.0 * part / whole) + " %";
    }
}
