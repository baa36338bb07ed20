// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

/**
 * Times of any number of operations in a fixed amount of memory. Each power of two is cut into 64
 * buckets, so that a quantile is at most 1/64 above the exact one, as with the histograms of
 * HdrHistogram. Unlike {@link Latencies} it needs no capacity, and histograms of several threads
 * and processes can be added. Not thread-safe.
 */
public final class Histogram {
    private static final int BITS = 6;
    private static final int PARTS = 1 << BITS;

    /** Times below {@link #PARTS} have a bucket each, and so has each part of further powers. */
    private static final int BUCKETS = (Long.SIZE - BITS) * PARTS;

    private final long[] counts = new long[BUCKETS];
    private long count;

    /** Adds a time in nanoseconds; a negative one, of a clock that stood, counts as 0. */
    public void add(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        count++;
    }

    /** Adds all times of another one. */
    public void add(Histogram other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
    }

    /** How many times it has. */
    public long count() {
        return count;
    }

    /**
     * The nanoseconds that the given part of all operations did not exceed, rounded up to the end
     * of a bucket; 0 if there are none.
     */
    public long quantile(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * count));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return highest(i);
            }
        }
        return 0;
    }

    /** The usual quantiles. */
    public Quantiles quantiles() {
        return new Quantiles(quantile(0.5) / 1e3, quantile(0.99) / 1e3, quantile(0.999) / 1e3);
    }

    private static int bucket(long nanos) {
        if (nanos < PARTS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BITS;
        return (shift + 1) * PARTS + (int) (nanos >>> shift) - PARTS;
    }

    /** The highest time of a bucket. */
    private static long highest(int bucket) {
        if (bucket < PARTS) {
            return bucket;
        }
        int shift = bucket / PARTS - 1;
        long lowest = (long) (bucket % PARTS + PARTS) << shift;
        return lowest + (1L << shift) - 1;
    }

    /** Its counts as a word, for another process: {@link #parse} reads it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] != 0) {
                text.append(text.isEmpty() ? "" : ",").append(i).append(':').append(counts[i]);
            }
        }
        return text.isEmpty() ? "-" : text.toString();
    }

    /**
     * Reads {@link #toString}.
     *
     * @throws IllegalArgumentException if it is nothing of that kind
     */
    public static Histogram parse(String text) {
        Histogram histogram = new Histogram();
        if (text.equals("-")) {
            return histogram;
        }
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            int bucket = colon < 0 ? -1 : Integer.parseInt(pair.substring(0, colon));
            long times = colon < 0 ? 0 : Long.parseLong(pair.substring(colon + 1));
            if (bucket < 0 || bucket >= BUCKETS || times < 1) {
                throw new IllegalArgumentException("'" + pair + "' is no bucket of a histogram");
            }
            histogram.counts[bucket] += times;
            histogram.count += times;
        }
        return histogram;
    }
}
