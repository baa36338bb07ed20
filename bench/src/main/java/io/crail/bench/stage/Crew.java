// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that do the same at the same time. */
public final class Crew implements AutoCloseable {
    private static final long BOUND_SECONDS = 60;

    private final ExecutorService threads;
    private final int size;

    /**
     * A crew.
     *
     * @param size number of threads
     */
    public Crew(int size) {
        this.size = size;
        this.threads = Executors.newFixedThreadPool(size);
    }

    /** What each of them does. */
    @FunctionalInterface
    public interface Part {
        /** Does it; returns how many operations it were. */
        long run(int thread) throws IOException;
    }

    /** Operations of all together, and in a second. */
    public Batches.Done run(Part part) throws IOException {
        List<Future<Long>> parts = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < size; i++) {
            int thread = i;
            Callable<Long> call = () -> part.run(thread);
            parts.add(threads.submit(call));
        }
        try {
            long operations = 0;
            for (Future<Long> one : parts) {
                operations += one.get(BOUND_SECONDS, TimeUnit.SECONDS);
            }
            return new Batches.Done(operations * 1e9 / (System.nanoTime() - start), operations);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException cause) {
                throw CrailException.of(cause.code(), "benchmark: " + cause.getMessage(), e);
            }
            throw new InternalException("a thread of the benchmark failed: " + e.getCause(), e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("a thread of the benchmark does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
