// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.client.CrailFuture;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a number of asynchronous operations under way: the next one begins when the oldest has
 * ended. Not thread-safe.
 */
final class Ring {
    private final List<@Nullable CrailFuture<?>> slots = new ArrayList<>();
    private int next;

    /**
     * A ring.
     *
     * @param depth operations under way at a time
     */
    Ring(int depth) {
        for (int i = 0; i < depth; i++) {
            slots.add(null);
        }
    }

    /** One operation. */
    @FunctionalInterface
    interface Operation {
        /** Begins it; what it uses of that slot is free. */
        CrailFuture<?> begin(int slot) throws IOException;
    }

    /** Waits for the oldest operation if all slots are taken, then begins one more. */
    void add(Operation operation) throws IOException {
        await(next);
        slots.set(next, operation.begin(next));
        next = (next + 1) % slots.size();
    }

    /** Waits for all. */
    void drain() throws IOException {
        for (int i = 0; i < slots.size(); i++) {
            await(i);
        }
    }

    private void await(int slot) throws IOException {
        CrailFuture<?> future = slots.get(slot);
        if (future == null) {
            return;
        }
        slots.set(slot, null);
        try {
            Object done = future.join();
            if (done instanceof Integer count && count < 0) {
                throw new InternalException("a read of the benchmark hit the end of its file");
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof CrailException cause) {
                throw CrailException.of(cause.code(), "benchmark: " + cause.getMessage(), e);
            }
            throw new InternalException("an operation of the benchmark failed: " + e, e);
        }
    }
}
