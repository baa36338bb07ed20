// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Quantiles;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.cli.terminal.Table;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Results as a table for people. */
final class Report {
    private static final List<String> FIGURES =
            List.of("ROW", "SETTING", "CRAIL>", "LIMIT>", "UNIT", "RATIO>", "SPREAD");
    private static final List<String> TARGETS = List.of("TARGET", "MET");
    private static final List<String> TIMES = List.of("P50>", "P99>", "P99.9>", "LIMIT P50>");
    private static final List<String> CIRCUMSTANCES = List.of("CPU/OP>", "LOAD>", "LIMIT OF");

    private final List<Result> results;

    Report(List<Result> results) {
        this.results = List.copyOf(results);
    }

    void print(PrintStream out) {
        boolean times = results.stream().anyMatch(result -> result.times() != null);
        List<String> titles = new ArrayList<>(FIGURES);
        titles.addAll(times ? TIMES : TARGETS);
        titles.addAll(CIRCUMSTANCES);
        Table table = Table.titled(titles.toArray(new String[0]));
        results.forEach(result -> table.row(cells(result, times).toArray(new String[0])));
        table.print(out);
        if (results.stream().anyMatch(Result::isVoid)) {
            out.println("* void: the limit itself varied by more than 1.3 between batches");
        }
    }

    private static List<String> cells(Result result, boolean times) {
        Label label = result.label();
        Comparison comparison = result.comparison();
        List<String> cells = new ArrayList<>(List.of(label.row(), label.setting()));
        if (comparison == null) {
            int empty = FIGURES.size() - cells.size() + (times ? TIMES : TARGETS).size() + 1;
            cells.addAll(Collections.nCopies(empty, ""));
            cells.add(number(result.load()));
            cells.add("skipped: " + result.skipped());
            return cells;
        }
        cells.add(number(comparison.value()));
        cells.add(number(comparison.limit()));
        cells.add(label.unit());
        cells.add(number(comparison.ratio()) + (result.isVoid() ? "*" : ""));
        cells.add(number(comparison.lowestRatio()) + " .. " + number(comparison.highestRatio()));
        cells.addAll(times ? times(result) : target(result));
        cells.add(number(result.processorMicros()) + " us");
        cells.add(number(result.load()));
        cells.add(comparison.limitName());
        return cells;
    }

    private static List<String> target(Result result) {
        Label.Target target = result.label().target();
        Boolean met = result.met();
        return List.of(
                target == null ? "" : target.toString(), met == null ? "" : met ? "yes" : "no");
    }

    private static List<String> times(Result result) {
        Result.Times times = result.times();
        if (times == null) {
            return Collections.nCopies(TIMES.size(), "");
        }
        Quantiles product = times.product();
        Quantiles limit = times.limit();
        return List.of(
                micros(product.p50()),
                micros(product.p99()),
                micros(product.p999()),
                limit == null ? "" : micros(limit.p50()));
    }

    private static String micros(double value) {
        return number(value) + " us";
    }

    /** Two digits after the point, three where they are all there is. */
    private static String number(double value) {
        String format = value >= 1000 ? "%,.0f" : value < 0.1 ? "%.3f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
