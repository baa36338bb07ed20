// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Setting;
import io.crail.error.InvalidArgumentException;
import java.util.ArrayList;
import java.util.List;

/** {@code crail bench metadata}: every operation in every combination of the wishes. */
public final class MetadataBenchmark implements Benchmark {
    private static final int MOST_THREADS = 64;
    private static final int MOST_PROCESSES = 8;
    private static final int MOST_DEPTH = 512;
    private static final int MOST_ENTRIES = 1_000_000;
    private static final int MOST_PAGE = 1_024;

    /** The directory of the run, that of the row, the entry. */
    private static final int LEAST_PATH = 3;

    private static final int MOST_PATH = 200;
    private static final long CAPACITY = 64L << 20;
    private static final int LIMIT_BYTES = 1 << 20;

    private final List<LoadRow> rows = new ArrayList<>();

    /**
     * What the user wishes.
     *
     * @param operations names; all if empty
     * @param transports unix, tcp; all if empty
     * @param processes numbers of client processes
     * @param threads numbers of threads of each, sharing a client
     * @param depths operations under way of each thread
     * @param entries of the directories that are looked up in and listed
     * @param page entries of a page
     * @param pathDepth components of a path
     * @param settings names: free, one-core, two-core
     */
    public record Wishes(
            List<String> operations,
            List<String> transports,
            List<Integer> processes,
            List<Integer> threads,
            List<Integer> depths,
            int entries,
            int page,
            int pathDepth,
            List<String> settings) {}

    /**
     * The rows of some wishes.
     *
     * @throws InvalidArgumentException if a wish is impossible
     */
    public MetadataBenchmark(Wishes wishes) throws InvalidArgumentException {
        List<Integer> processes =
                Wish.numbers("--processes", wishes.processes(), 1, MOST_PROCESSES);
        List<Integer> threads = Wish.numbers("--threads", wishes.threads(), 1, MOST_THREADS);
        List<Integer> depths = Wish.numbers("--depth", wishes.depths(), 1, MOST_DEPTH);
        Wish.within("--entries", wishes.entries(), 1, MOST_ENTRIES);
        Wish.within("--page", wishes.page(), 1, MOST_PAGE);
        Wish.within("--path-depth", wishes.pathDepth(), LEAST_PATH, MOST_PATH);
        List<MetadataOperation> operations =
                Wish.names("--operations", wishes.operations(), MetadataOperation.class);
        for (Setting cores : Wish.names("--setting", wishes.settings(), Setting.class)) {
            for (Ways.Transport transport :
                    Wish.names("--transport", wishes.transports(), Ways.Transport.class)) {
                for (MetadataOperation operation : operations) {
                    for (int process : processes) {
                        for (int thread : threads) {
                            for (int depth : operation.isAsynchronous() ? depths : List.of(1)) {
                                rows.add(
                                        new MetadataRow(
                                                new MetadataSpec(
                                                        operation,
                                                        transport.way(),
                                                        process,
                                                        thread,
                                                        depth,
                                                        wishes.entries(),
                                                        wishes.page(),
                                                        wishes.pathDepth(),
                                                        cores)));
                            }
                        }
                    }
                }
            }
        }
    }

    @Override
    public List<LoadRow> rows() {
        return List.copyOf(rows);
    }

    @Override
    public long capacity() {
        return CAPACITY;
    }

    @Override
    public int limitBytes() {
        return LIMIT_BYTES;
    }
}
