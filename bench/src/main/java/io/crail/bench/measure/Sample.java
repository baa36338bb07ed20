// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Figures of one kind, of which the middle counts. Immutable.
 *
 * <p>How far the median is to be trusted is found by the bootstrap (B. Efron, "Bootstrap Methods:
 * Another Look at the Jackknife", 1979): as many figures are drawn from the sample, each time from
 * all, many times over; the medians of the draws scatter as those of further measurements would. It
 * supposes nothing about how figures are distributed, and those of computers are not distributed
 * normally.
 */
public final class Sample {
    private static final int DRAWS = 10_000;

    private final double[] sorted;

    /**
     * A sample.
     *
     * @param figures at least one
     */
    public Sample(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("a sample needs a figure");
        }
        sorted = figures.clone();
        Arrays.sort(sorted);
    }

    /**
     * Bounds of a figure.
     *
     * @param low the lower one
     * @param high the upper one
     */
    public record Interval(double low, double high) {}

    public int size() {
        return sorted.length;
    }

    /** The middle; between the two in the middle of an even number. */
    public double median() {
        return median(sorted);
    }

    /** Lowest and highest figure. */
    public Interval range() {
        return new Interval(sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * Where the median lies, with that probability.
     *
     * @param probability between 0 and 1: 0.9 leaves out a twentieth at each end
     * @param random draws; a generator with a seed gives the same interval each time
     */
    public Interval medianInterval(double probability, RandomGenerator random) {
        double[] medians = new double[DRAWS];
        double[] draw = new double[sorted.length];
        for (int i = 0; i < DRAWS; i++) {
            for (int j = 0; j < draw.length; j++) {
                draw[j] = sorted[random.nextInt(sorted.length)];
            }
            Arrays.sort(draw);
            medians[i] = median(draw);
        }
        Arrays.sort(medians);
        int tail = (int) (DRAWS * (1 - probability) / 2);
        return new Interval(medians[tail], medians[DRAWS - 1 - tail]);
    }

    private static double median(double[] ordered) {
        int upper = ordered.length / 2;
        return ordered.length % 2 == 1 ? ordered[upper] : (ordered[upper - 1] + ordered[upper]) / 2;
    }
}
