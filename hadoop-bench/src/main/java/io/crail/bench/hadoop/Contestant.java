// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.measure.Latencies;
import java.io.IOException;
import java.time.Duration;

/**
 * An operation in one store, and the batches of it. Not thread-safe.
 *
 * <p>A batch takes as long as it is told, and one operation at least.
 */
final class Contestant implements AutoCloseable {
    private static final int MOST = 1 << 16;

    private final Store store;
    private final String directory;
    private final Operation.Ready operation;
    private int number;
    private int last;

    private Contestant(Store store, String directory, Operation.Ready operation) {
        this.store = store;
        this.directory = directory;
        this.operation = operation;
    }

    /**
     * Prepares an operation.
     *
     * @param store stays the caller's
     * @param row gives its directory the name
     */
    static Contestant prepare(Store store, String row, Operation operation, Effort effort)
            throws IOException {
        String directory = "/bench-" + row + "-" + ProcessHandle.current().pid();
        store.mkdirs(directory);
        return new Contestant(store, directory, operation.prepare(store, directory, effort));
    }

    /** Nanoseconds of the median operation, for one of what the row counts. */
    double batch(Duration time) throws IOException {
        Latencies latencies = new Latencies(MOST);
        long end = System.nanoTime() + time.toNanos();
        long start = System.nanoTime();
        do {
            operation.run(number++);
            long now = System.nanoTime();
            latencies.add(now - start);
            start = now;
        } while (start - end < 0 && latencies.count() < MOST);
        last = latencies.count();
        return latencies.median() / operation.amount();
    }

    /** Does it for some time. */
    void warmUp(Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        do {
            operation.run(number++);
        } while (System.nanoTime() - end < 0);
    }

    /** How many operations the last batch had. */
    int operations() {
        return last;
    }

    @Override
    public void close() throws IOException {
        operation.close();
        store.remove(directory);
    }
}
