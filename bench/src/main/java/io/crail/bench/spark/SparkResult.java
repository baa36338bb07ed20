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
 * What was measured of a row. Times are in seconds, and of one job.
 *
 * @param row the row
 * @param pairs of rounds
 * @param isCompared whether results of vanilla Spark and crail were compared
 * @param disk seconds of vanilla Spark with its local directory on disk
 * @param withMemory vanilla Spark with the memory of the store; null if it was not measured
 * @param serverBytes memory that crail's servers took up
 * @param load of the machine
 * @param stolen part of the processors' time that other virtual machines took, 0..1
 */
public record SparkResult(
        SparkRow row,
        List<Pair> pairs,
        boolean isCompared,
        Sample disk,
        @Nullable WithMemory withMemory,
        long serverBytes,
        double load,
        double stolen)
        implements SparkOutcome {
    private static final double PROBABILITY = 0.9;
    private static final long SEED = 6;

    public SparkResult {
        pairs = List.copyOf(pairs);
    }

    /**
     * A round.
     *
     * @param seconds that it took
     * @param processor seconds of processors of the application
     * @param servers and of crail's servers
     */
    record Turn(double seconds, double processor, double servers) {}

    /** A round of each. */
    record Pair(Turn vanilla, Turn crail) {}

    /**
     * Vanilla Spark with the memory of the store.
     *
     * @param seconds of its rounds
     * @param heapMebibytes of each executor
     */
    record WithMemory(Sample seconds, int heapMebibytes) {}

    @Override
    public String name() {
        return row.name();
    }

    /** Rounds of each. */
    public int size() {
        return pairs.size();
    }

    public double crailSeconds() {
        return median(pair -> pair.crail.seconds);
    }

    public double vanillaSeconds() {
        return median(pair -> pair.vanilla.seconds);
    }

    /** Of vanilla Spark with its local directory on disk: the median. */
    public double diskSeconds() {
        return disk.median();
    }

    /** Of vanilla Spark with the memory of the store: the median; null if it was not measured. */
    public @Nullable Double withMemorySeconds() {
        return withMemory == null ? null : withMemory.seconds.median();
    }

    /** Seconds of processors of driver, executors and servers in a round of crail. */
    public double crailProcessor() {
        return median(pair -> pair.crail.processor + pair.crail.servers);
    }

    /** And those of the servers among them. */
    public double serverProcessor() {
        return median(pair -> pair.crail.servers);
    }

    /** Of driver and executors of vanilla Spark. */
    public double vanillaProcessor() {
        return median(pair -> pair.vanilla.processor);
    }

    /** How many times as fast as vanilla Spark, pair by pair. */
    private Sample speedups() {
        return sample(pair -> pair.vanilla.seconds / pair.crail.seconds);
    }

    /** The median of the pairs. */
    public double speedup() {
        return speedups().median();
    }

    /** Where {@link #speedup} lies, with a probability of 90 percent. */
    public Interval interval() {
        return speedups().medianInterval(PROBABILITY, new SplittableRandom(SEED));
    }

    /** What the row shall reach; empty if nothing. */
    public String target() {
        return row.target() == null ? "" : row.target().toString();
    }

    /** Whether it does; null if there is nothing to reach. */
    public @Nullable Boolean met() {
        SparkTarget target = row.target();
        return target == null ? null : target.met(speedup(), interval());
    }

    /** Whether crail is slower than vanilla Spark, beyond doubt. */
    public boolean isSlower() {
        return SparkTarget.isSlower(interval());
    }

    private double median(ToDoubleFunction<Pair> figure) {
        return sample(figure).median();
    }

    private Sample sample(ToDoubleFunction<Pair> figure) {
        return new Sample(pairs.stream().mapToDouble(figure).toArray());
    }

    @Override
    public Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("row", row.name());
        json.put("crail_s", crailSeconds());
        json.put("vanilla_shm_s", vanillaSeconds());
        json.put("vanilla_disk_s", diskSeconds());
        json.put("speedup", speedup());
        json.put("spread", list(speedups().range()));
        json.put("cpu_s", crailProcessor());
        json.put("identical", isCompared ? true : null);
        json.put("target", row.target() == null ? null : row.target().toString());
        json.put("met", met());
        json.put("interval", list(interval()));
        json.put("slower", isSlower());
        json.put("pairs", pairs.size());
        json.put("cold", row.cold());
        json.put("store_cpu_s", serverProcessor());
        json.put("vanilla_cpu_s", vanillaProcessor());
        json.put("vanilla_disk_spread", list(disk.range()));
        json.put("vanilla_memory_s", withMemorySeconds());
        json.put(
                "vanilla_memory_spread",
                withMemory == null ? null : list(withMemory.seconds.range()));
        json.put("vanilla_memory_heap_mib", withMemory == null ? null : withMemory.heapMebibytes);
        json.put("store_mib", serverBytes >> 20);
        json.put("executors", row.crail().executors());
        json.put("cores", row.crail().cores());
        json.put("vanilla_cores", row.vanilla().cores());
        json.put("heap_mib", row.crail().heapMebibytes());
        json.put("load", load);
        json.put("steal", stolen);
        return json;
    }

    private static List<Double> list(Interval interval) {
        return List.of(interval.low(), interval.high());
    }
}
