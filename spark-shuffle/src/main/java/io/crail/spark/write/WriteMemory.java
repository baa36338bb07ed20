// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.memory.MemoryBlock;
import org.jspecify.annotations.Nullable;

/**
 * What a map task may use of Spark's memory. Belongs to the thread of the task; Spark may ask for
 * some of it back when another part of the task needs it, in the same thread while it makes the
 * next record.
 */
final class WriteMemory extends MemoryConsumer {
    /** Frees memory by writing out what is in it. */
    @FunctionalInterface
    interface Relief {
        /**
         * Frees some memory.
         *
         * @return whether there was any to free
         */
        boolean free() throws IOException;
    }

    private final Thread owner = Thread.currentThread();
    private @Nullable Relief relief;
    private boolean busy;
    private long pages;
    private long withoutLeave;
    private long peak;

    WriteMemory(TaskMemoryManager manager) {
        super(manager, manager.getTungstenMemoryMode());
    }

    /** Says how memory is freed. */
    void relief(Relief how) {
        relief = how;
    }

    /** While it is busy with a record, the buffers are in no state to be written. */
    void busy(boolean now) {
        busy = now;
    }

    /** Acquires all of it or nothing. */
    boolean tryAcquire(long bytes) {
        long granted = acquireMemory(bytes);
        if (granted < bytes) {
            freeMemory(granted);
            return false;
        }
        peak = Math.max(peak, inUse());
        return true;
    }

    /** Notes what has to be used though Spark does not grant it, because nothing works without. */
    void useWithoutLeave(long bytes) {
        withoutLeave += bytes;
    }

    /** Gives memory back, first what was used without leave. */
    void release(long bytes) {
        long foreign = Math.min(bytes, withoutLeave);
        withoutLeave -= foreign;
        freeMemory(bytes - foreign);
    }

    /** A page of about so many bytes, or null if there is no memory. */
    @Nullable MemoryBlock tryPage(long bytes) {
        MemoryBlock page = taskMemoryManager.allocatePage(bytes, this);
        if (page != null) {
            pages += page.size();
            peak = Math.max(peak, inUse());
        }
        return page;
    }

    void giveBack(MemoryBlock page) {
        pages -= page.size();
        taskMemoryManager.freePage(page, this);
    }

    /** Pages are counted here: what counts them in Spark has changed with its versions. */
    private long inUse() {
        return getUsed() + pages;
    }

    /** Most bytes that were in use at a time. */
    long peak() {
        return peak;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        if (trigger == this || busy || relief == null || Thread.currentThread() != owner) {
            return 0;
        }
        long before = inUse();
        while (before - inUse() < size && relief.free()) {
            // Until there is enough, or nothing left.
        }
        return before - inUse();
    }

    /** Gives everything back. */
    void close() {
        relief = null;
        freeMemory(getUsed());
        withoutLeave = 0;
    }
}
