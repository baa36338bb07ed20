// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Quantiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured.
 *
 * @param label what it is about
 * @param comparison the batches; null if it was skipped
 * @param processorMicros of client and servers together for each operation
 * @param load of the machine when it was measured
 * @param skipped why it was not measured; empty if it was
 * @param times of single operations; null if only a rate or a median was taken
 */
public record Result(
        Label label,
        @Nullable Comparison comparison,
        double processorMicros,
        double load,
        String skipped,
        @Nullable Times times) {
    /**
     * Times of single operations of all batches, in microseconds.
     *
     * @param product of crail
     * @param limit of the machine; null if its work has no operations, as a stream
     */
    public record Times(Quantiles product, @Nullable Quantiles limit) {}

    /** What was measured. */
    static Result of(Label label, Comparison comparison, double processorMicros, double load) {
        return new Result(label, comparison, processorMicros, load, "", null);
    }

    /** What was not measured, and why. */
    public static Result skipped(Label label, String why, double load) {
        return new Result(label, null, 0, load, why, null);
    }

    /** The same, with times of single operations. */
    public Result with(Times measured) {
        return new Result(label, comparison, processorMicros, load, skipped, measured);
    }

    /** The same, of servers and clients that have these switches set. */
    public Result switched(String switches) {
        return switches.isEmpty()
                ? this
                : new Result(
                        label.and(switches), comparison, processorMicros, load, skipped, times);
    }

    /** Whether the limit itself was so unsteady that the ratio says nothing. */
    public boolean isVoid() {
        Label.Target target = label.target();
        return comparison != null
                && comparison.unsteady()
                && (target == null || !target.isClear(comparison));
    }

    /** Whether the target is reached; null if there is none, or nothing valid to compare. */
    public @Nullable Boolean met() {
        Label.Target target = label.target();
        if (target == null || comparison == null || isVoid()) {
            return null;
        }
        return target.met(comparison);
    }

    /** As an object for JSON, in the order in which people read it. */
    public Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("row", label.row());
        Comparison measured = comparison;
        if (measured == null) {
            json.put("setting", label.setting());
            json.put("skipped", skipped);
            json.put("load", load);
            return json;
        }
        json.put("value", measured.value());
        json.put("unit", label.unit());
        json.put("limit", measured.limit());
        json.put("ratio", measured.ratio());
        json.put("setting", label.setting());
        json.put("spread", List.of(measured.lowestRatio(), measured.highestRatio()));
        json.put("runs", measured.size());
        json.put("load", load);
        json.put("limitOf", measured.limitName());
        json.put("cpuMicros", processorMicros);
        json.put("void", isVoid());
        Label.Target target = label.target();
        json.put("target", target == null ? null : target.toString());
        json.put("met", met());
        Times each = times;
        if (each != null) {
            json.put("latency", each.product.json());
            json.put("limitLatency", each.limit == null ? null : each.limit.json());
        }
        return json;
    }
}
