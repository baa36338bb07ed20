// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Ring;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What one thread does in a batch. Not thread-safe. */
@FunctionalInterface
interface Work {
    /**
     * Does operations until the time is up, or there is nothing left to do.
     *
     * @param times get the time of each, if single ones can be told apart
     * @return how many it were
     */
    long run(long nanos, Histogram times) throws IOException;

    /** A blocking operation. */
    @FunctionalInterface
    interface Operation {
        /** Does the next one; returns whether there was one to do. */
        boolean run() throws IOException;
    }

    /** An asynchronous operation. */
    @FunctionalInterface
    interface Begin {
        /**
         * Begins the next one.
         *
         * @param slot what earlier operations used of that number is free
         * @return null if there is nothing left to do
         */
        @Nullable CompletableFuture<?> begin(int slot) throws IOException;
    }

    /** One operation after another. */
    static Work blocking(Operation operation) {
        return (nanos, times) -> {
            long start = System.nanoTime();
            long now = start;
            long count = 0;
            while (now - start < nanos && operation.run()) {
                long end = System.nanoTime();
                times.add(end - now);
                now = end;
                count++;
            }
            return count;
        };
    }

    /**
     * That many operations under way: the next one begins when the oldest has ended.
     *
     * @param depth operations under way
     */
    static Work pipelined(int depth, Begin begin) {
        return (nanos, times) -> {
            long before = times.count();
            Ring ring = new Ring(depth, times);
            long start = System.nanoTime();
            boolean more = true;
            while (more && System.nanoTime() - start < nanos) {
                more = ring.add(begin::begin);
            }
            ring.drain();
            return times.count() - before;
        };
    }
}
