// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Histogram;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a number of asynchronous operations under way: the next one begins when the oldest has
 * ended. Not thread-safe.
 */
public final class Ring {
    private final List<@Nullable CompletableFuture<?>> slots = new ArrayList<>();
    private final long[] begun;
    private final @Nullable Histogram times;
    private int next;

    /**
     * A ring.
     *
     * @param depth operations under way at a time
     */
    public Ring(int depth) {
        this(depth, null);
    }

    /**
     * A ring.
     *
     * @param times get the time of each operation, from its begin until its turn has come and its
     *     result is there
     */
    public Ring(int depth, @Nullable Histogram times) {
        this.begun = new long[depth];
        this.times = times;
        for (int i = 0; i < depth; i++) {
            slots.add(null);
        }
    }

    /** One operation. */
    @FunctionalInterface
    public interface Operation {
        /** Begins it, unless there is none (null); what it uses of that slot is free. */
        @Nullable CompletableFuture<?> begin(int slot) throws IOException;
    }

    /**
     * Waits for the oldest operation if all slots are taken, then begins one more.
     *
     * @return whether there was one to begin
     */
    public boolean add(Operation operation) throws IOException {
        await(next);
        begun[next] = times == null ? 0 : System.nanoTime();
        CompletableFuture<?> future = operation.begin(next);
        slots.set(next, future);
        next = (next + 1) % slots.size();
        return future != null;
    }

    /** Waits for all. */
    public void drain() throws IOException {
        for (int i = 0; i < slots.size(); i++) {
            await(i);
        }
    }

    private void await(int slot) throws IOException {
        CompletableFuture<?> future = slots.get(slot);
        if (future == null) {
            return;
        }
        slots.set(slot, null);
        Object done = result(future);
        if (times != null) {
            times.add(System.nanoTime() - begun[slot]);
        }
        if (done instanceof Integer count && count < 0) {
            throw new InternalException("a read of the benchmark hit the end of its file");
        }
    }

    /** Waits for an asynchronous operation; its failure keeps its class. */
    public static <T> T result(CompletableFuture<T> future) throws CrailException {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CrailException cause) {
                throw CrailException.of(cause.code(), "benchmark: " + cause.getMessage(), e);
            }
            throw new InternalException("an operation of the benchmark failed: " + e, e);
        }
    }
}
