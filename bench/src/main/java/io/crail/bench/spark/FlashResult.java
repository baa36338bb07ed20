// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.measure.Sample;
import io.crail.bench.measure.Sample.Interval;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of a row whose shuffle is larger than crail's memory. Times are in seconds.
 *
 * @param row the row
 * @param pairs of rounds
 * @param isCompared whether results with all in memory and on flash were compared
 * @param memory bytes that crail had in memory
 * @param use blocks of the shuffles of all rounds together
 * @param disk what the disk by itself needs for the bytes of a round
 * @param load of the machine
 * @param stolen part of the processors' time that other virtual machines took, 0..1
 */
public record FlashResult(
        SparkRow row,
        List<Pair> pairs,
        boolean isCompared,
        long memory,
        FlashStore.Use use,
        DiskTime disk,
        double load,
        double stolen)
        implements SparkOutcome {
    private static final double PROBABILITY = 0.9;
    private static final long SEED = 7;

    public FlashResult {
        pairs = List.copyOf(pairs);
    }

    /** A round of each. */
    record Pair(SparkResult.Turn memory, SparkResult.Turn flash) {}

    /**
     * The disk's own limit: medians of sequential passes over as many bytes as went to flash in a
     * round.
     *
     * @param writing seconds for writing them
     * @param reading seconds for reading them
     * @param direct whether past the page cache
     */
    public record DiskTime(double writing, double reading, boolean direct) {}

    @Override
    public String name() {
        return row.name();
    }

    /** Rounds of each. */
    public int size() {
        return pairs.size();
    }

    public double flashSeconds() {
        return median(pair -> pair.flash.seconds());
    }

    public double memorySeconds() {
        return median(pair -> pair.memory.seconds());
    }

    /** How many times as long as with all in memory: the median of the pairs. */
    public double ratio() {
        return ratios().median();
    }

    /** The same, as rows that are compared with vanilla Spark tell it: at most 1 / 1.5, say. */
    private double speedup() {
        return 1 / ratio();
    }

    /** Where {@link #ratio} lies, with a probability of 90 percent. */
    public Interval interval() {
        return ratios().medianInterval(PROBABILITY, new SplittableRandom(SEED));
    }

    /** Part of the shuffles' bytes that went to flash. */
    public double flashShare() {
        return (double) use.onFlash() / Math.max(1, use.onFlash() + use.inMemory());
    }

    /** What the row shall reach; empty if nothing. */
    public String target() {
        return row.target() == null ? "" : row.target().toString();
    }

    /** Whether it does; null if there is nothing to reach. */
    public @Nullable Boolean met() {
        SparkTarget target = row.target();
        Interval ratio = interval();
        return target == null
                ? null
                : target.met(speedup(), new Interval(1 / ratio.high(), 1 / ratio.low()));
    }

    /** Seconds of processors of driver, executors and servers in a round on flash. */
    public double flashProcessor() {
        return median(pair -> pair.flash.processor() + pair.flash.servers());
    }

    /** And those of the servers among them. */
    public double serverProcessor() {
        return median(pair -> pair.flash.servers());
    }

    /** Of driver, executors and servers with all in memory. */
    public double memoryProcessor() {
        return median(pair -> pair.memory.processor() + pair.memory.servers());
    }

    private Sample ratios() {
        return sample(pair -> pair.flash.seconds() / pair.memory.seconds());
    }

    private double median(ToDoubleFunction<Pair> figure) {
        return sample(figure).median();
    }

    private Sample sample(ToDoubleFunction<Pair> figure) {
        return new Sample(pairs.stream().mapToDouble(figure).toArray());
    }

    @Override
    public Map<String, @Nullable Object> json() {
        Interval range = ratios().range();
        Interval interval = interval();
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("row", row.name());
        json.put("crail_s", flashSeconds());
        // Every row has these; vanilla Spark has no part in this one.
        json.put("vanilla_shm_s", null);
        json.put("vanilla_disk_s", null);
        json.put("speedup", speedup());
        json.put("spread", List.of(range.low(), range.high()));
        json.put("cpu_s", flashProcessor());
        json.put("identical", isCompared ? true : null);
        json.put("memory_s", memorySeconds());
        json.put("ratio", ratio());
        json.put("flash_share", flashShare());
        json.put("disk_s", disk.writing + disk.reading);
        json.put("target", row.target() == null ? null : row.target().toString());
        json.put("met", met());
        json.put("interval", List.of(interval.low(), interval.high()));
        json.put("pairs", pairs.size());
        json.put("flash_mib", (use.onFlash() / Math.max(1, pairs.size())) >> 20);
        json.put("memory_mib", memory >> 20);
        json.put("disk_write_s", disk.writing);
        json.put("disk_read_s", disk.reading);
        json.put("disk_direct", disk.direct);
        json.put("store_cpu_s", serverProcessor());
        json.put("memory_cpu_s", memoryProcessor());
        json.put("executors", row.crail().executors());
        json.put("cores", row.crail().cores());
        json.put("heap_mib", row.crail().heapMebibytes());
        json.put("load", load);
        json.put("steal", stolen);
        return json;
    }
}
