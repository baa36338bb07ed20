// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.measure.Sample.Interval;
import io.crail.bench.spark.SparkResult;
import io.crail.cli.terminal.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Results as a table for people. */
final class SparkReport {
    private final List<SparkResult> results;

    SparkReport(List<SparkResult> results) {
        this.results = List.copyOf(results);
    }

    void print(PrintStream out) {
        Table table =
                Table.titled(
                        "ROW",
                        "CRAIL>",
                        "VANILLA>",
                        "ON DISK>",
                        "+MEMORY>",
                        "SPEEDUP>",
                        "90 %",
                        "TARGET",
                        "MET",
                        "CPU>",
                        "STORE CPU>",
                        "VANILLA CPU>",
                        "PAIRS>",
                        "LOAD>",
                        "STEAL>");
        results.forEach(result -> row(table, result));
        table.print(out);
        out.println(
                "Seconds of one job. VANILLA: Spark as it is shipped, its local directory in shared"
                        + " memory; ON DISK: on disk; +MEMORY: in shared memory, with the memory of"
                        + " crail's servers added to the heaps.");
        out.println(
                "CPU: seconds of processors of driver, executors and crail's servers in a round of"
                        + " crail (STORE: of the servers alone), of driver and executors in one of"
                        + " vanilla.");
        for (SparkResult result : results) {
            if (result.isSlower()) {
                out.println("! " + result.name() + " is slower with crail");
            }
        }
    }

    private static void row(Table table, SparkResult result) {
        Double more = result.withMemorySeconds();
        Boolean met = result.met();
        Interval interval = result.interval();
        table.row(
                result.name(),
                number(result.crailSeconds()),
                number(result.vanillaSeconds()),
                number(result.diskSeconds()),
                more == null ? "" : number(more),
                number(result.speedup()),
                number(interval.low()) + " .. " + number(interval.high()),
                result.target(),
                met == null ? "" : met ? "yes" : "no",
                number(result.crailProcessor()),
                number(result.serverProcessor()),
                number(result.vanillaProcessor()),
                Integer.toString(result.size()),
                number(result.load()),
                String.format(Locale.ROOT, "%.0f %%", 100 * result.stolen()));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
    }
}
