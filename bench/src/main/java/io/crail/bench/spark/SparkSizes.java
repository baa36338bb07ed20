// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How large the rows are.
 *
 * @param capacity bytes that the store offers
 * @param usual two executors
 * @param four four executors, for broadcasts
 * @param jobs by the names of rows
 * @param targets whether these are the sizes that targets are about
 */
public record SparkSizes(long capacity, Shape usual, Shape four, Jobs jobs, boolean targets) {
    private static final int MEBIBYTE = 1 << 20;
    private static final int WANTED_HEAP = 4096;
    private static final int LEAST_HEAP = 1024;
    private static final int BROADCAST_HEAP = 2048;
    private static final int DRIVER = 1024;
    private static final int BROADCAST_DRIVER = 3072;
    private static final long CAPACITY = 4L << 30;
    private static final long SMALL_CAPACITY = 1L << 30;

    /** What drivers and the system need besides. */
    private static final long REST = 3L << 29;

    /** Applications that live at a time, each with two executors. */
    private static final int HEAPS = 4;

    /**
     * What the rows do.
     *
     * @param groupBy for groupby and its variants
     * @param sort for terasort and terasort_plain
     * @param join for sqljoin
     * @param smallBlocks for smallblocks
     * @param fewBlocks for smallblocks_200
     * @param broadcasts mebibytes of the broadcasts
     * @param empty jobs of a round of emptyjob
     */
    public record Jobs(
            Job groupBy,
            Job sort,
            Job join,
            Job smallBlocks,
            Job fewBlocks,
            List<Integer> broadcasts,
            int empty) {
        public Jobs {
            broadcasts = List.copyOf(broadcasts);
        }
    }

    /**
     * Those of the table of targets. Executors have 4 GiB of heap and two cores, and less where the
     * machine has less.
     *
     * @param processors that programs can use
     * @param available bytes of memory that programs can have
     * @param part an nth of the records is taken
     * @throws OutOfSpaceException if the memory is too little
     */
    public static SparkSizes full(int processors, long available, int part)
            throws OutOfSpaceException {
        long capacity = Math.max(SMALL_CAPACITY, CAPACITY / part);
        // Half of the capacity is what vanilla has in shared memory.
        long besides = capacity + capacity / 2 + REST;
        long each = (available - besides) / HEAPS / MEBIBYTE;
        if (each < LEAST_HEAP) {
            long need = besides + (long) HEAPS * LEAST_HEAP * MEBIBYTE;
            throw new OutOfSpaceException(
                    "the applications need "
                            + new ByteSize(need).rounded()
                            + " of memory, and there are "
                            + new ByteSize(available).rounded()
                            + "; --part 4 needs less, and --quick still less");
        }
        int heap = (int) Math.min(WANTED_HEAP, each);
        return new SparkSizes(
                capacity,
                usual(processors, heap),
                new Shape(4, 1, Math.min(BROADCAST_HEAP, heap), BROADCAST_DRIVER),
                new Jobs(
                        groupBy(32, 16_000 / part, 32),
                        sort(32, 20_000_000 / part),
                        join(12_000_000 / part),
                        blocks((int) (1000 / Math.sqrt(part))),
                        blocks((int) (200 / Math.sqrt(part))),
                        List.of(1, Math.max(1, 64 / part), Math.max(1, 512 / part)),
                        20),
                part == 1);
    }

    /** Small ones, to see that everything works. */
    public static SparkSizes quick(int processors) {
        return new SparkSizes(
                SMALL_CAPACITY,
                usual(processors, LEAST_HEAP),
                new Shape(4, 1, LEAST_HEAP, DRIVER),
                new Jobs(
                        groupBy(8, 4000, 8),
                        sort(8, 1_000_000),
                        join(400_000),
                        blocks(300),
                        blocks(100),
                        List.of(1, 8, 32),
                        5),
                false);
    }

    /** For two cores and 8 GiB of memory. */
    public static SparkSizes laptop(int processors) {
        return new SparkSizes(
                SMALL_CAPACITY,
                usual(processors, LEAST_HEAP),
                new Shape(4, 1, LEAST_HEAP, DRIVER),
                new Jobs(
                        groupBy(16, 6000, 16),
                        sort(16, 3_000_000),
                        join(1_200_000),
                        blocks(300),
                        blocks(200),
                        List.of(1, 16, 64),
                        20),
                false);
    }

    private static Shape usual(int processors, int heap) {
        return new Shape(2, Math.max(1, Math.min(2, processors / 2)), heap, DRIVER);
    }

    private static Job groupBy(int maps, int records, int reducers) {
        return new Job(
                Job.GROUP_BY,
                Map.of("maps", maps, "records", records, "bytes", 4096, "reducers", reducers));
    }

    private static Job sort(int tasks, int records) {
        return new Job(
                Job.SORT, Map.of("maps", tasks, "records", records / tasks, "reducers", tasks));
    }

    private static Job join(int rows) {
        return new Job(Job.JOIN, Map.of("rows", rows));
    }

    private static Job blocks(int each) {
        return new Job(Job.SMALL_BLOCKS, Map.of("maps", each, "reducers", each, "bytes", 1024));
    }

    /** The rows of this size, in the order of the table. */
    List<SparkRow> rows() {
        return List.of(
                SparkRow.warm("groupby", jobs.groupBy, usual, atLeast(1.8)),
                SparkRow.warm("groupby_cold", jobs.groupBy, usual, atLeast(2.5))
                        .inNewApplications(),
                SparkRow.warm("groupby_1core", jobs.groupBy, twoTasks(), notSlower()).crailWith(1),
                SparkRow.warm("groupby_flash", jobs.groupBy, usual, atMost(1.5)).withInMemory(0.2),
                SparkRow.warm("terasort", jobs.sort, usual, atLeast(1.5))
                        .crailDoes(new Job(Job.SORT_FIXED, jobs.sort.sizes())),
                SparkRow.warm("terasort_plain", jobs.sort, usual, atLeast(1.1)),
                SparkRow.warm("sqljoin", jobs.join, usual, atLeast(1.25)),
                SparkRow.warm("smallblocks", jobs.smallBlocks, usual, atLeast(2)),
                SparkRow.warm("smallblocks_200", jobs.fewBlocks, usual, null),
                broadcast(0, "broadcast1m", null),
                broadcast(1, "broadcast64m", null),
                broadcast(2, "broadcast512m", atLeast(4)),
                SparkRow.warm(
                                "emptyjob",
                                new Job(Job.EMPTY, Map.of("jobs", jobs.empty)),
                                usual,
                                notSlower())
                        .times(jobs.empty));
    }

    /**
     * Executors that run two tasks at a time each, also where the machine has not as many cores: to
     * Spark they are threads, which share what is there.
     */
    private Shape twoTasks() {
        return usual.withCores(2);
    }

    private @Nullable SparkTarget atLeast(double speedup) {
        return targets ? SparkTarget.atLeast(speedup) : null;
    }

    private @Nullable SparkTarget atMost(double times) {
        return targets ? SparkTarget.atMost(times) : null;
    }

    private @Nullable SparkTarget notSlower() {
        return targets ? SparkTarget.notSlower() : null;
    }

    /**
     * Four executors and a driver with as much heap as vanilla needs: one application at a time.
     */
    private SparkRow broadcast(int index, String name, @Nullable SparkTarget target) {
        Job job =
                new Job(
                        Job.BROADCAST,
                        Map.of(
                                "bytes",
                                jobs.broadcasts.get(index) * MEBIBYTE,
                                "executors",
                                four.executors()));
        return SparkRow.warm(name, job, four, target).inTurn();
    }
}
