// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.measure.Sample.Interval;
import io.crail.bench.spark.FlashResult;
import io.crail.bench.spark.SparkOutcome;
import io.crail.bench.spark.SparkResult;
import io.crail.cli.terminal.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Results as a table for people. */
final class SparkReport {
    private final List<SparkResult> results;
    private final List<FlashResult> flash;

    SparkReport(List<SparkOutcome> results) {
        this.results = only(SparkResult.class, results);
        this.flash = only(FlashResult.class, results);
    }

    private static <T> List<T> only(Class<T> kind, List<SparkOutcome> results) {
        return results.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    void print(PrintStream out) {
        if (!results.isEmpty()) {
            printWithVanilla(out);
        }
        if (!flash.isEmpty()) {
            printWithMemory(out);
        }
    }

    /** Results that differ have ended the benchmark before. */
    private static void printIfAllCompared(
            List<? extends SparkOutcome> outcomes, String text, PrintStream out) {
        if (outcomes.stream().allMatch(SparkOutcome::isCompared)) {
            out.println(text);
        }
    }

    private void printWithMemory(PrintStream out) {
        Table table =
                Table.titled(
                        "ROW",
                        "FLASH>",
                        "MEMORY>",
                        "TIMES AS LONG>",
                        "90 %",
                        "TARGET",
                        "MET",
                        "ON FLASH>",
                        "DISK>",
                        "CPU>",
                        "STORE CPU>",
                        "MEMORY CPU>",
                        "PAIRS>",
                        "LOAD>",
                        "STEAL>");
        flash.forEach(result -> row(table, result));
        table.print(out);
        printIfAllCompared(
                flash, "Results of crail on flash and with all in memory are identical.", out);
        out.println(
                "Seconds of one job. FLASH: crail with memory for a part of the shuffle only; ON"
                        + " FLASH: what went to the disk instead; MEMORY: crail that has all in"
                        + " memory; DISK: what the disk by itself needs to write and then read"
                        + " these bytes one after the other.");
        for (FlashResult result : flash) {
            if (!result.disk().direct()) {
                out.println(
                        "! "
                                + result.name()
                                + ": the file system takes no direct I/O, so this is about the page"
                                + " cache");
            }
        }
    }

    private static void row(Table table, FlashResult result) {
        Boolean met = result.met();
        Interval interval = result.interval();
        table.row(
                result.name(),
                number(result.flashSeconds()),
                number(result.memorySeconds()),
                number(result.ratio()),
                number(interval.low()) + " .. " + number(interval.high()),
                result.target(),
                met == null ? "" : met ? "yes" : "no",
                percent(result.flashShare()),
                number(result.disk().writing() + result.disk().reading()),
                number(result.flashProcessor()),
                number(result.serverProcessor()),
                number(result.memoryProcessor()),
                Integer.toString(result.size()),
                number(result.load()),
                percent(result.stolen()));
    }

    private void printWithVanilla(PrintStream out) {
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
        printIfAllCompared(results, "Results of crail and of Spark as shipped are identical.", out);
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
                percent(result.stolen()));
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * part);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 0.1 ? "%.3f" : "%.2f", value);
    }
}
