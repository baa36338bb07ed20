// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.io.IOException;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;
import org.apache.spark.unsafe.memory.MemoryBlock;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one kind, on the heap or not, that a map task has of Spark. Belongs to the thread of
 * the task; what is asked back is decided by {@link WriteMemory}.
 */
final class MemoryAccount extends MemoryConsumer {
    private final WriteMemory task;
    private WriteMemory.Relief relief = () -> false;
    private long pages;
    private long withoutLeave;

    MemoryAccount(WriteMemory task, TaskMemoryManager manager, MemoryMode mode) {
        super(manager, manager.pageSizeBytes(), mode);
        this.task = task;
    }

    /** Says how memory of this kind is freed. */
    void relief(WriteMemory.Relief how) {
        relief = how;
    }

    /** Acquires all of it or nothing. */
    boolean tryAcquire(long bytes) {
        task.asking(true);
        try {
            long granted = acquireMemory(bytes);
            if (granted < bytes) {
                freeMemory(granted);
                return false;
            }
        } finally {
            task.asking(false);
        }
        task.notePeak();
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
        MemoryBlock page;
        task.asking(true);
        try {
            page = taskMemoryManager.allocatePage(bytes, this);
        } finally {
            task.asking(false);
        }
        if (page != null) {
            pages += page.size();
            task.notePeak();
        }
        return page;
    }

    void giveBack(MemoryBlock page) {
        pages -= page.size();
        taskMemoryManager.freePage(page, this);
    }

    /** With the pages: Spark asks nothing of who has nothing, and does not count them itself. */
    @Override
    public long getUsed() {
        return super.getUsed() + pages;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) throws IOException {
        if (!task.mayBeAsked()) {
            return 0;
        }
        long before = getUsed();
        while (before - getUsed() < size && relief.free()) {
            // Until there is enough, or nothing left.
        }
        return before - getUsed();
    }

    /** Gives everything back but pages, which have their owners. */
    void close() {
        relief = () -> false;
        freeMemory(super.getUsed());
        withoutLeave = 0;
    }
}
