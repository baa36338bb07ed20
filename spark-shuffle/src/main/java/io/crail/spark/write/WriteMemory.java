// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.io.IOException;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * What a map task may use of Spark's memory: for buffers and pages, of the kind that Spark's own
 * pages are of; and for arrays and compressors, of the heap, whatever that kind is. Belongs to the
 * thread of the task; Spark may ask for some of it back when another part of the task needs it, in
 * the same thread while it makes the next record.
 */
final class WriteMemory {
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
    private final MemoryAccount buffers;
    private final MemoryAccount heap;
    private boolean busy;
    private boolean asking;
    private long peak;

    WriteMemory(TaskMemoryManager manager) {
        this.buffers = new MemoryAccount(this, manager, manager.getTungstenMemoryMode());
        this.heap = new MemoryAccount(this, manager, MemoryMode.ON_HEAP);
    }

    /** For buffers and pages. */
    MemoryAccount buffers() {
        return buffers;
    }

    /** For what is on the heap. */
    MemoryAccount heap() {
        return heap;
    }

    /** Whether buffers that are written out make room on the heap, as Spark sees it. */
    boolean buffersCountAsHeap() {
        return buffers.getMode() == MemoryMode.ON_HEAP;
    }

    /** While it is busy with a record, the buffers are in no state to be written. */
    void busy(boolean now) {
        busy = now;
    }

    /** While it asks for memory, it may be in the middle of something and gives none. */
    void asking(boolean now) {
        asking = now;
    }

    /** Whether memory can be freed now. */
    boolean mayBeAsked() {
        return !busy && !asking && Thread.currentThread() == owner;
    }

    void notePeak() {
        peak = Math.max(peak, buffers.getUsed() + heap.getUsed());
    }

    /** Most bytes that were in use at a time. */
    long peak() {
        return peak;
    }

    /** Gives everything back. */
    void close() {
        buffers.close();
        heap.close();
    }
}
