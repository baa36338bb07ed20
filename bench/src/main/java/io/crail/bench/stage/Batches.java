// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.ProcessorTime;
import java.io.IOException;
import java.util.List;

/**
 * Alternating batches: limit, crail, limit, crail, ...
 *
 * @param count of each
 * @param others processes whose processor time counts, besides this one
 */
public record Batches(int count, List<ProcessHandle> others) {
    public Batches {
        others = List.copyOf(others);
    }

    /** A batch of the machine; returns its figure. */
    @FunctionalInterface
    public interface LimitBatch {
        /** Does it. */
        double run(int batch) throws IOException;
    }

    /** A batch of crail. */
    @FunctionalInterface
    public interface ProductBatch {
        /** Does it. */
        Done run(int batch) throws IOException;
    }

    /**
     * What a batch of crail did.
     *
     * @param figure to be compared with that of the limit
     * @param operations how many
     */
    public record Done(double figure, long operations) {}

    /** Runs them. The processor time is that of crail's batches. */
    public Result compare(Label label, LimitBatch limit, ProductBatch product) throws IOException {
        Comparison comparison = new Comparison(label.limit());
        ProcessorTime time = new ProcessorTime(others);
        long nanos = 0;
        long operations = 0;
        for (int i = 0; i < count; i++) {
            double machine = limit.run(i);
            long before = time.nanos();
            Done done = product.run(i);
            nanos += time.nanos() - before;
            operations += done.operations;
            comparison.add(done.figure, machine);
        }
        double micros = nanos / 1e3 / Math.max(1, operations);
        return Result.of(label, comparison, micros, ProcessorTime.load());
    }
}
