// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.client.local.LocalCluster;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of what was measured.
 *
 * @param invocation where to print
 * @param measurements rows
 */
record Report(Invocation invocation, List<Measurement> measurements) {
    private static final String LEGEND =
            """

            LIMIT is what this machine does without crail, measured in turn with crail in this run:
              round trip       64 bytes there and back over a blocking loopback socket
              loopback stream  1 MiB at a time over a blocking loopback socket
              copy + CRC32C    a copy in memory that is in use already, with its checksum
              CRC32C           the checksum alone
              disk             1 MiB at a time, 8 under way, in a file on the same disk
            CRAIL and LIMIT are medians of batches, RATIO is the median of their ratios, RANGE the
            lowest and the highest. For times less is better, else more. All checksums agree.""";

    private static final String UNSTEADY =
            "* void: the limit itself varied by more than a factor of 1.3 between batches.";

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
        out.println();
        table().print(out);
        out.println(LEGEND);
        if (measurements.stream().anyMatch(Measurement::unsteady)) {
            out.println(UNSTEADY);
        }
        if (kept != null) {
            explain(out, kept);
        }
    }

    private Table table() {
        Table table =
                Table.titled(
                        "OPERATION",
                        "AMOUNT>",
                        "TIME>",
                        "CRAIL>",
                        "LIMIT>",
                        "OF A",
                        "RATIO>",
                        "RANGE");
        for (Measurement row : measurements) {
            table.row(
                    row.operation(),
                    row.amount(),
                    row.time(),
                    row.rate(),
                    row.limit(),
                    row.limitName(),
                    row.ratio(),
                    row.range());
        }
        return table;
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
