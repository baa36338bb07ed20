// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Console;
import io.crail.cli.terminal.Paragraph;
import io.crail.cli.terminal.Table;
import io.crail.error.ProtocolException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** An activity as lines of at most 80 columns. */
final class Screen {
    static final int COLUMNS = 80;
    private static final String LOST = "namenode not reachable";

    /** Of a reason that is shown whole. */
    private static final int LONGEST = 800;

    private static final char ESCAPE = 0x1b;
    private static final int TYPES = 8;
    private static final String[] UNITS = {"", "K", "M", "G", "T", "P", "E"};

    private final Console console;

    Screen(Console console) {
        this.console = console;
    }

    List<String> lines(Activity activity) {
        List<String> lines = new ArrayList<>();
        Optional<Statistics.Reply> now = activity.now().statistics();
        if (now.isEmpty()) {
            return lost(activity.now().failure());
        }
        head(activity, now.get(), lines);
        lines.add("");
        if (activity.now().namenode().metrics().isEmpty()) {
            lines.add("no requests shown: " + clean(activity.now().namenode().failure()));
        } else {
            table(calls(activity), lines);
        }
        lines.add("");
        if (activity.servers().isEmpty()) {
            lines.add("no storage server");
        } else {
            table(servers(activity), lines);
            failures(activity, lines);
        }
        return cut(lines);
    }

    /** All of the reason: there is nothing else to see. */
    private List<String> lost(String failure) {
        List<String> lines = cut(Paragraph.lines(LOST + ": " + clean(failure, LONGEST), COLUMNS));
        List<String> painted = new ArrayList<>(lines);
        painted.set(0, console.paint(Colour.BAD, LOST) + lines.get(0).substring(LOST.length()));
        return painted;
    }

    private void head(Activity activity, Statistics.Reply now, List<String> lines) {
        String cluster = now.cluster().toString();
        lines.add(
                "cluster "
                        + cluster.substring(0, cluster.indexOf('-'))
                        + "   epoch "
                        + now.epoch()
                        + "   up "
                        + time(now.uptimeMillis())
                        + "   nodes "
                        + count(now.directories() + now.files() + now.tables() + now.keyValues())
                        + (now.readOnly() ? "   " + console.paint(Colour.BAD, "READ-ONLY") : ""));
        lines.add(
                "sessions "
                        + now.sessions()
                        + "   handles "
                        + count(now.handles())
                        + "   connections "
                        + whole(activity.connections())
                        + "   namenode in "
                        + bytes(activity.received())
                        + "/s out "
                        + bytes(activity.sent())
                        + "/s");
        lines.add(
                "log at "
                        + now.logPosition()
                        + "   behind snapshot "
                        + count(now.logPosition() - now.snapshotPosition())
                        + diskLag(activity)
                        + "   inline "
                        + compact(now.inlineBytes())
                        + " of "
                        + compact(now.inlineLimit()));
    }

    private static String diskLag(Activity activity) {
        OptionalDouble lag =
                activity.now()
                        .namenode()
                        .metrics()
                        .map(all -> all.value("crail_namenode_log_lag_records", "behind", "disk"))
                        .orElse(OptionalDouble.empty());
        return lag.isEmpty() ? "" : "   not on disk " + count((long) lag.getAsDouble());
    }

    private static Table calls(Activity activity) {
        Table table = Table.titled("NAMENODE REQUESTS", "PER SECOND>", "P50>", "P99>");
        double others = 0;
        int shown = 0;
        for (Activity.Calls calls : activity.calls()) {
            if (calls.perSecond() > 0 && shown < TYPES) {
                table.row(
                        calls.type(),
                        rate(calls.perSecond()),
                        micros(calls.p50()),
                        micros(calls.p99()));
                shown++;
            } else {
                others += calls.perSecond();
            }
        }
        if (others > 0 || shown == 0) {
            table.row(shown == 0 ? "none" : "others", rate(others), "-", "-");
        }
        return table;
    }

    private Table servers(Activity activity) {
        Table table =
                Table.titled(
                        "SERVER>",
                        "STATE",
                        "IN/S>",
                        "OUT/S>",
                        "REQ/S>",
                        "GRANT>",
                        "DATA>",
                        "FREEING>",
                        "LOST>",
                        "PINS>");
        for (Activity.Server server : activity.servers()) {
            Statistics.ServerCapacity known = server.known();
            table.row(
                    Integer.toString(known.id()),
                    state(server),
                    bytes(server.in()),
                    bytes(server.out()),
                    server.requests().isEmpty() ? "-" : rate(server.requests().getAsDouble()),
                    compact(known.granted()),
                    compact(known.committed()),
                    compact(known.revoking() + known.quarantined()),
                    compact(known.lost()),
                    whole(server.pins()));
        }
        return table;
    }

    private String state(Activity.Server server) {
        String state = nameOf(server.known());
        boolean live = state.equals("live");
        if (live && !server.failure().isEmpty()) {
            return console.paint(Colour.WARNING, "no answer");
        }
        return console.paint(
                live ? Colour.GOOD : state.equals("dead") ? Colour.BAD : Colour.WARNING, state);
    }

    static String nameOf(Statistics.ServerCapacity server) {
        try {
            return ServerState.ofWire(server.state()).name().toLowerCase(Locale.ROOT);
        } catch (ProtocolException e) {
            return "state " + server.state(); // Of a newer namenode.
        }
    }

    /** Why some have no rates; of dead ones that is known. */
    private static void failures(Activity activity, List<String> lines) {
        for (Activity.Server server : activity.servers()) {
            boolean dead = server.known().state() == ServerState.DEAD.wire();
            if (!server.failure().isEmpty() && !dead) {
                lines.add(server.known().id() + ": " + clean(server.failure()));
            }
        }
    }

    private static void table(Table table, List<String> lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        table.print(out);
        out.flush();
        bytes.toString(StandardCharsets.UTF_8).lines().forEach(lines::add);
    }

    /** Lines with colours are short by themselves, and must not lose the end of a sequence. */
    private static List<String> cut(List<String> lines) {
        return lines.stream()
                .map(
                        line ->
                                line.length() <= COLUMNS || line.indexOf(ESCAPE) >= 0
                                        ? line
                                        : line.substring(0, COLUMNS))
                .toList();
    }

    /** What comes from elsewhere may hold anything, and be of any length. */
    private static String clean(String text) {
        return clean(text, COLUMNS);
    }

    private static String clean(String text, int limit) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= limit ? clean : clean.substring(0, limit);
    }

    private static String whole(OptionalDouble value) {
        return value.isEmpty() ? "-" : count((long) value.getAsDouble());
    }

    private static String bytes(OptionalDouble value) {
        return value.isEmpty() ? "-" : compact((long) value.getAsDouble());
    }

    /** Bytes in at most five characters, in units of 1024. */
    static String compact(long bytes) {
        return scaled((double) bytes, 1024);
    }

    /** A number in at most five characters, in units of 1000. */
    static String count(long number) {
        return scaled((double) number, 1000);
    }

    private static String scaled(double number, int base) {
        double left = number;
        int unit = 0;
        while (left >= (unit == 0 ? 10_000 : base - 0.5) && unit < UNITS.length - 1) {
            left /= base;
            unit++;
        }
        return unit == 0 || left >= 99.95
                ? Math.round(left) + UNITS[unit]
                : String.format(Locale.ROOT, "%.1f%s", left, UNITS[unit]);
    }

    private static String rate(double perSecond) {
        return perSecond == 0 || perSecond >= 10
                ? count(Math.round(perSecond))
                : String.format(Locale.ROOT, "%.1f", perSecond);
    }

    private static String micros(OptionalDouble seconds) {
        if (seconds.isEmpty()) {
            return "-";
        }
        double micros = seconds.getAsDouble() * 1e6;
        return micros < 1000
                ? String.format(Locale.ROOT, "%.1f us", micros)
                : String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
    }

    private static String time(long millis) {
        Duration time = Duration.ofMillis(millis);
        return time.toDays() > 0
                ? time.toDays() + " d " + time.toHoursPart() + " h"
                : String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        time.toHoursPart(),
                        time.toMinutesPart(),
                        time.toSecondsPart());
    }
}
