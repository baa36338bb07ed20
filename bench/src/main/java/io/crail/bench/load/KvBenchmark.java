// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Setting;
import io.crail.error.InvalidArgumentException;
import java.util.ArrayList;
import java.util.List;

/** {@code crail bench kv}: every operation in every combination of the wishes. */
public final class KvBenchmark implements Benchmark {
    private static final int MOST_SIZE = 1 << 20;
    private static final int MOST_THREADS = 64;
    private static final int LEAST_VALUES = 2;
    private static final int MOST_VALUES = 64;
    private static final long ROOM = 512L << 20;

    private final List<LoadRow> rows = new ArrayList<>();
    private final long largestTable;

    /**
     * What the user wishes.
     *
     * @param operations names; all if empty
     * @param transports names: unix, tcp; all if empty
     * @param sizes of values
     * @param threads numbers of threads that share a client
     * @param values of a multi-put or multi-get
     * @param settings names: free, one-core, two-core
     */
    public record Wishes(
            List<String> operations,
            List<String> transports,
            List<String> sizes,
            List<Integer> threads,
            int values,
            List<String> settings) {}

    /**
     * The rows of some wishes.
     *
     * @throws InvalidArgumentException if a wish is impossible
     */
    public KvBenchmark(Wishes wishes) throws InvalidArgumentException {
        List<KvOperation> operations =
                Wish.names("--operations", wishes.operations(), KvOperation.class);
        List<Integer> sizes = Wish.sizes("--sizes", wishes.sizes(), 1, MOST_SIZE);
        List<Integer> threads = Wish.numbers("--threads", wishes.threads(), 1, MOST_THREADS);
        int several = Wish.within("--values", wishes.values(), LEAST_VALUES, MOST_VALUES);
        long largest = 0;
        for (Setting cores : Wish.names("--setting", wishes.settings(), Setting.class)) {
            for (Ways.Transport transport :
                    Wish.names("--transport", wishes.transports(), Ways.Transport.class)) {
                for (KvOperation operation : operations) {
                    for (int size : sizes) {
                        for (int thread : threads) {
                            int values = operation.isOfSeveral() ? several : 1;
                            KvSpec spec =
                                    new KvSpec(
                                            operation,
                                            transport.way(),
                                            size,
                                            thread,
                                            values,
                                            cores);
                            largest = Math.max(largest, (long) spec.keys() * size);
                            rows.add(new KvRow(spec));
                        }
                    }
                }
            }
        }
        largestTable = largest;
    }

    @Override
    public List<LoadRow> rows() {
        return List.copyOf(rows);
    }

    /** Values are replaced all the time, and blocks that are being freed are not free yet. */
    @Override
    public long capacity() {
        return largestTable + ROOM;
    }

    /** As much as the largest table has. */
    @Override
    public int limitBytes() {
        return (int) Math.max(MOST_SIZE, largestTable);
    }
}
