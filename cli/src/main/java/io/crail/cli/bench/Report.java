// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.measure.Comparison;
import io.crail.bench.row.Label;
import io.crail.bench.row.Result;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Results as a table for people, and as lines of JSON for programs. */
final class Report {
    private final List<Result> results;

    Report(List<Result> results) {
        this.results = List.copyOf(results);
    }

    /** An object a line. */
    String lines() {
        StringBuilder lines = new StringBuilder();
        results.forEach(result -> lines.append(Json.write(result.json())).append('\n'));
        return lines.toString();
    }

    void print(PrintStream out) {
        Table table =
                Table.titled(
                        "ROW",
                        "SETTING",
                        "CRAIL>",
                        "LIMIT>",
                        "UNIT",
                        "RATIO>",
                        "SPREAD",
                        "TARGET",
                        "MET",
                        "CPU/OP>",
                        "LOAD>",
                        "LIMIT OF");
        results.forEach(result -> table.row(cells(result)));
        table.print(out);
        if (results.stream().anyMatch(Result::isVoid)) {
            out.println("* void: the limit itself varied by more than 1.3 between batches");
        }
    }

    private static String[] cells(Result result) {
        Label label = result.label();
        Comparison comparison = result.comparison();
        String load = number(result.load());
        if (comparison == null) {
            String why = "skipped: " + result.skipped();
            return new String[] {
                label.row(), label.setting(), "", "", "", "", "", "", "", "", load, why
            };
        }
        Label.Target target = label.target();
        Boolean met = result.met();
        return new String[] {
            label.row(),
            label.setting(),
            number(comparison.value()),
            number(comparison.limit()),
            label.unit(),
            number(comparison.ratio()) + (result.isVoid() ? "*" : ""),
            number(comparison.lowestRatio()) + " .. " + number(comparison.highestRatio()),
            target == null ? "" : target.toString(),
            met == null ? "" : met ? "yes" : "no",
            number(result.processorMicros()) + " us",
            load,
            comparison.limitName()
        };
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 1000 ? "%,.0f" : "%.2f", value);
    }
}
