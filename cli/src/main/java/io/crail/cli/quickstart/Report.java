// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Invocation;
import io.crail.cli.state.LocalCluster;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of what was measured.
 *
 * @param invocation where to print
 * @param measurements rows
 * @param limits the machine's own
 */
record Report(Invocation invocation, List<Measurement> measurements, MachineLimits limits) {
    /**
     * A cluster that goes on running.
     *
     * @param name its name
     * @param cluster where it is
     */
    record Kept(String name, LocalCluster cluster) {}

    void print(@Nullable Kept kept) {
        if (invocation.json()) {
            Map<String, @Nullable Object> json =
                    Json.object(
                            "streamBytesPerSecond", limits.bytesPerSecond(),
                            "roundTripNanos", limits.roundTripNanos(),
                            "processors", Runtime.getRuntime().availableProcessors(),
                            "measurements", measurements.stream().map(Measurement::json).toList());
            if (kept != null) {
                json.put("name", kept.name);
                json.put("namenode", kept.cluster.namenode().toString());
            }
            invocation.printJson(json);
            return;
        }
        PrintStream out = invocation.out();
        Table table = Table.titled("OPERATION", "AMOUNT>", "TIME>", "RATE>", "LIMIT>", "RATIO>");
        for (Measurement row : measurements) {
            table.row(
                    row.operation(),
                    row.amount(),
                    row.time(),
                    row.rate(),
                    row.limitText(),
                    row.ratio());
        }
        out.println();
        table.print(out);
        out.println(
                String.format(
                        Locale.ROOT,
                        "%nLIMIT is this machine's own, measured in this run over blocking loopback"
                                + " sockets:%none stream of bytes (%s), and the median round trip of"
                                + " 64 bytes (%.1f us);%nfor files as many round trips a second. RATIO is RATE / LIMIT:"
                                + " more is better, for us less.%nAll checksums agree.",
                        Measurement.mebibytes(limits.bytesPerSecond()),
                        limits.roundTripNanos() / 1e3));
        if (kept != null) {
            explain(out, kept);
        }
    }

    private static void explain(PrintStream out, Kept kept) {
        boolean found = kept.name.equals(LocalCluster.DEFAULT);
        String stop = found ? "" : " --name " + kept.name;
        out.println("\nThe cluster goes on running; its namenode is " + kept.cluster.namenode());
        if (!found) {
            out.println("  export CRAIL_NAMENODE=" + kept.cluster.namenode());
        }
        out.println("  bin/crail fs ls -l /");
        out.println("  bin/crail kv get /table key-1 | od -c");
        out.println("  bin/crail fs df -h");
        out.println("  bin/crail cluster status" + stop);
        out.println("  bin/crail cluster stop" + stop + "        # ends it and frees its memory");
    }
}
