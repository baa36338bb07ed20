// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailClient;
import io.crail.client.StorageServer;
import io.crail.error.ProtocolException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "report",
        description =
                "Shows the state of the cluster: identity, nodes, sessions, log, capacity of each"
                        + " class by state of its blocks, and each storage server.",
        footer = {
            "",
            "GRANTED blocks are being written, COMMITTED ones hold data, FREEING ones wait until"
                    + " nobody uses them, LOST ones are out of reach with their server.",
            "",
            "Examples:",
            "  crail admin report",
            "  crail admin report -b      exact bytes",
            "  crail admin report --json"
        })
final class ReportCommand extends Command {
    private static final String NO_PORT = ":0";

    @Option(
            names = {"-b", "--bytes"},
            description = "Shows exact bytes instead of rounded sizes.")
    private boolean exact;

    ReportCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CrailClient client = invocation.client();
        Statistics.Reply now = client.statistics();
        Map<Integer, StorageServer> table = new LinkedHashMap<>();
        client.servers().forEach(server -> table.put(server.id(), server));
        if (invocation.json()) {
            invocation.printJson(ReportJson.of(now, table));
            return;
        }
        PrintStream out = invocation.out();
        cluster(now).print(out);
        out.println();
        classes(now).print(out);
        out.println();
        if (now.servers().isEmpty()) {
            out.println("no storage server has ever registered");
            return;
        }
        servers(now, table).print(out);
        out.println();
        details(now, table).print(out);
        remarks(now, out);
    }

    private Table cluster(Statistics.Reply now) {
        String snapshot =
                (now.logPosition() - now.snapshotPosition())
                        + " records behind it in the log, which has "
                        + size(now.logBytes());
        return Table.untitled("", "")
                .row("cluster", now.cluster().toString())
                .row(
                        "namenode",
                        now.software()
                                + ", epoch "
                                + now.epoch()
                                + ", up "
                                + time(now.uptimeMillis())
                                + (now.readOnly()
                                        ? ", " + invocation.console().paint(Colour.BAD, "READ-ONLY")
                                        : ""))
                .row("clock", Instant.ofEpochMilli(now.nowMillis()).toString())
                .row(
                        "nodes",
                        (now.directories() + now.files() + now.tables() + now.keyValues())
                                + ": "
                                + now.directories()
                                + " directories and multifiles, "
                                + now.files()
                                + " files and streams, "
                                + now.tables()
                                + " tables, "
                                + now.keyValues()
                                + " values")
                .row("inline", size(now.inlineBytes()) + " of " + size(now.inlineLimit()))
                .row("sessions", now.sessions() + ", with " + now.handles() + " open handles")
                .row("log", "at record " + now.logPosition())
                .row("snapshot", "of record " + now.snapshotPosition() + ", " + snapshot)
                .row("status", now.statusUrl().isEmpty() ? "-" : now.statusUrl());
    }

    private Table classes(Statistics.Reply now) {
        Table table =
                Table.titled(
                        "CLASS>",
                        "CAPACITY>",
                        "FREE>",
                        "GRANTED>",
                        "COMMITTED>",
                        "FREEING>",
                        "LOST>",
                        "USE>");
        for (Statistics.Capacity each : now.classes()) {
            table.row(
                    Integer.toString(each.storageClass()),
                    size(each.capacity()),
                    size(each.free()),
                    size(each.granted()),
                    size(each.committed()),
                    size(each.revoking() + each.quarantined()),
                    size(each.lost()),
                    use(each.capacity(), each.free(), each.lost()));
        }
        return table;
    }

    private Table servers(Statistics.Reply now, Map<Integer, StorageServer> known)
            throws ProtocolException {
        Table table =
                Table.titled(
                        "SERVER>",
                        "STATE",
                        "TIER",
                        "CLASS>",
                        "CAPACITY>",
                        "USED>",
                        "USE>",
                        "FREEING>",
                        "LOST BLOCKS>",
                        "HEARD>");
        for (Statistics.ServerCapacity each : now.servers()) {
            StorageServer server = known.get(each.id());
            table.row(
                    Integer.toString(each.id()),
                    painted(state(each)),
                    server == null ? "-" : server.tier(),
                    Integer.toString(each.storageClass()),
                    size(each.capacity()),
                    size(each.granted() + each.committed()),
                    use(each.capacity(), each.free(), each.lost()),
                    size(each.revoking() + each.quarantined()),
                    Long.toString(each.lostBlocks()),
                    time(each.silentMillis()) + " ago");
        }
        return table;
    }

    private static Table details(Statistics.Reply now, Map<Integer, StorageServer> known) {
        Table table = Table.titled("SERVER>", "HOST", "LOCATION", "VERSION", "ADDRESSES");
        for (Statistics.ServerCapacity each : now.servers()) {
            StorageServer server = known.get(each.id());
            List<String> places = new ArrayList<>();
            if (server != null) {
                server.endpoints().forEach(place -> places.add(withoutPort(place)));
            }
            if (!each.statusUrl().isEmpty()) {
                places.add(each.statusUrl());
            }
            table.row(
                    Integer.toString(each.id()),
                    each.host(),
                    server == null || server.locationClass().isEmpty()
                            ? "-"
                            : server.locationClass(),
                    each.software().isEmpty() ? "-" : each.software(),
                    places.isEmpty() ? "-" : String.join(" ", places));
        }
        return table;
    }

    /** What has no port is a directory. */
    private static String withoutPort(String place) {
        return place.endsWith(NO_PORT)
                ? place.substring(0, place.length() - NO_PORT.length())
                : place;
    }

    /** What is lost is neither used nor free: a dead server has nothing that could be used. */
    private static String use(long capacity, long free, long lost) {
        return percent(capacity - lost - free, capacity - lost);
    }

    /** What an operator has to do something about. */
    private void remarks(Statistics.Reply now, PrintStream out) throws ProtocolException {
        List<String> remarks = new ArrayList<>();
        for (Statistics.ServerCapacity each : now.servers()) {
            long used = each.capacity() - each.free();
            if (each.state() == ServerState.DRAINING.wire()) {
                remarks.add(
                        "server "
                                + each.id()
                                + " is draining: "
                                + (used == 0
                                        ? "it is empty and can be stopped"
                                        : size(used) + " are still there ('crail admin drain')"));
            }
            if (each.lostBlocks() > 0) {
                remarks.add(
                        each.lostBlocks()
                                + " blocks of files are out of reach on server "
                                + each.id()
                                + " ("
                                + state(each)
                                + "); 'crail fsck' names the files");
            }
        }
        if (!remarks.isEmpty()) {
            out.println();
            remarks.forEach(out::println);
        }
    }

    static String state(Statistics.ServerCapacity server) throws ProtocolException {
        return ServerState.ofWire(server.state()).name().toLowerCase(Locale.ROOT);
    }

    private String painted(String state) {
        Colour colour =
                switch (state) {
                    case "live" -> Colour.GOOD;
                    case "dead" -> Colour.BAD;
                    default -> Colour.WARNING;
                };
        return invocation.console().paint(colour, state);
    }

    private String size(long bytes) {
        return exact ? Long.toString(bytes) : new ByteSize(bytes).rounded();
    }

    /** Rounded up: what is used at all is more than 0 %. */
    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : (long) Math.ceil(100.0 * part / whole) + " %";
    }

    private static String time(long millis) {
        Duration time = Duration.ofMillis(millis);
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        return time.toMinutes() > 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }
}
