// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.Peer;
import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.ProcessorTime;
import java.io.IOException;

/**
 * What rows measure with.
 *
 * @param servers the cluster
 * @param peer the other side of the limits
 * @param effort how long
 */
public record Stage(Servers servers, Peer peer, Effort effort) {
    /** A batch of the machine; returns its figure. */
    @FunctionalInterface
    interface LimitBatch {
        /** Does it. */
        double run(int batch) throws IOException;
    }

    /** A batch of crail. */
    @FunctionalInterface
    interface ProductBatch {
        /** Does it. */
        Done run(int batch) throws IOException;
    }

    /**
     * What a batch of crail did.
     *
     * @param figure to be compared with that of the limit
     * @param operations how many
     */
    record Done(double figure, long operations) {}

    /** Alternates batches: limit, crail, limit, crail, ... */
    Result compare(Label label, LimitBatch limit, ProductBatch product) throws IOException {
        Comparison comparison = new Comparison(label.limit());
        ProcessorTime time = new ProcessorTime(servers.processes());
        long nanos = 0;
        long operations = 0;
        for (int i = 0; i < effort.batches(); i++) {
            double machine = limit.run(i);
            long before = time.nanos();
            Done done = product.run(i);
            nanos += time.nanos() - before;
            operations += done.operations;
            comparison.add(done.figure, machine);
        }
        double micros = nanos / 1e3 / Math.max(1, operations);
        return new Result(label, comparison, micros, ProcessorTime.load(), "");
    }
}
