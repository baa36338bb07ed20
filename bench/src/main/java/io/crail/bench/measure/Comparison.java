// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Alternating batches of crail and of the machine without crail: limit, crail, limit, crail, ...
 * What else runs on the machine then disturbs both, and the ratio of the pairs says more than
 * either number. Not thread-safe.
 */
public final class Comparison {
    /** Batches of each that a step makes, where it can make several. */
    public static final int BATCHES = 5;

    /** A limit that varies more than this between batches says nothing. */
    private static final double STEADY = 1.3;

    private final String limit;
    private final List<Batch> batches = new ArrayList<>();

    /**
     * A comparison without batches yet.
     *
     * @param limit what the machine does in its batches
     */
    public Comparison(String limit) {
        this.limit = limit;
    }

    private record Batch(double value, double limit) {}

    public void add(double value, double ofLimit) {
        batches.add(new Batch(value, ofLimit));
    }

    public String limitName() {
        return limit;
    }

    public double value() {
        return middle(Batch::value);
    }

    public double limit() {
        return middle(Batch::limit);
    }

    /** The median of the ratios, which need not be the ratio of the medians. */
    public double ratio() {
        return middle(Comparison::ratio);
    }

    /** The median of what crail has more than the limit. */
    public double difference() {
        return middle(batch -> batch.value - batch.limit);
    }

    public double lowestRatio() {
        return sorted(Comparison::ratio)[0];
    }

    public double highestRatio() {
        return sorted(Comparison::ratio)[batches.size() - 1];
    }

    public int size() {
        return batches.size();
    }

    /** Whether the machine itself changed so much between the batches that the ratio is void. */
    public boolean unsteady() {
        double[] limits = sorted(Batch::limit);
        return limits[limits.length - 1] > STEADY * limits[0];
    }

    private static double ratio(Batch batch) {
        return batch.value / batch.limit;
    }

    private double middle(ToDoubleFunction<Batch> field) {
        return sorted(field)[batches.size() / 2];
    }

    private double[] sorted(ToDoubleFunction<Batch> field) {
        return batches.stream().mapToDouble(field).sorted().toArray();
    }
}
