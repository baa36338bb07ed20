// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.jspecify.annotations.Nullable;

/**
 * The heap that a sort uses, accounted to Spark. When another part of the task needs memory, Spark
 * asks for some back, in the thread of the task; a sort that is busy with a record gives none.
 * Belongs to the thread of the task.
 */
final class SortMemory extends MemoryConsumer {
    /** Frees memory by writing out what is in it. */
    @FunctionalInterface
    interface Relief {
        /** Frees what it can. */
        void free() throws IOException;
    }

    private final Thread owner = Thread.currentThread();
    private @Nullable Relief relief;
    private boolean spilling;
    private long withoutLeave;
    private long peak;

    SortMemory(TaskMemoryManager manager) {
        super(manager, manager.pageSizeBytes(), MemoryMode.ON_HEAP);
    }

    /** Says how memory can be freed from now on; null when it cannot. */
    void relief(@Nullable Relief how) {
        relief = how;
    }

    /** Acquires all of it or nothing. */
    boolean tryAcquire(long bytes) {
        long granted = acquireMemory(bytes);
        if (granted < bytes) {
            freeMemory(granted);
            return false;
        }
        peak = Math.max(peak, getUsed());
        return true;
    }

    /**
     * Acquires what there is.
     *
     * @param bytes at most so many
     */
    long acquireSome(long bytes) {
        long granted = acquireMemory(bytes);
        peak = Math.max(peak, getUsed());
        return granted;
    }

    /**
     * Uses memory that nothing works without, if need be without leave; so it does when Spark asks
     * for memory back, lest who asked be asked.
     */
    void use(long bytes) {
        if (spilling || !tryAcquire(bytes)) {
            withoutLeave += bytes;
        }
    }

    /** Gives memory back, first what was used without leave. */
    void release(long bytes) {
        long foreign = Math.min(bytes, withoutLeave);
        withoutLeave -= foreign;
        freeMemory(bytes - foreign);
    }

    /** Most bytes that were in use at a time. */
    long peak() {
        return peak;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        Relief how = relief;
        if (trigger == this || how == null || spilling || Thread.currentThread() != owner) {
            return 0;
        }
        long before = getUsed();
        spilling = true;
        try {
            how.free();
        } finally {
            spilling = false;
        }
        return before - getUsed();
    }

    /** Gives everything back. */
    void close() {
        relief = null;
        freeMemory(getUsed());
        withoutLeave = 0;
    }
}
