// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * What a reduce task may fetch ahead. It is taken from Spark's memory once, when the task begins
 * and nobody else needs it, because asking for more later would make the sorter of the same task
 * spill; when the others need it, what is not in use goes back. Thread-safe.
 *
 * <p>There is always room for one fetch, or the task could not go on.
 */
final class ReadMemory extends MemoryConsumer {
    private long inUse;

    /** What is left of what was taken: it goes back once, whoever gives it. */
    private long granted;

    /**
     * Takes memory.
     *
     * @param wanted bytes
     */
    ReadMemory(TaskMemoryManager manager, long wanted) {
        super(manager, manager.getTungstenMemoryMode());
        if (wanted > 0) {
            granted = acquireMemory(wanted);
        }
    }

    /** Whether so many bytes may be used; if so, they are. */
    synchronized boolean tryUse(long bytes) {
        if (inUse > 0 && inUse + bytes > granted) {
            return false;
        }
        inUse += bytes;
        return true;
    }

    /** Uses bytes that cannot be waited for: those of the one fetch that the task stands at. */
    synchronized void use(long bytes) {
        inUse += bytes;
    }

    synchronized void release(long bytes) {
        inUse -= bytes;
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
        if (trigger == this) {
            return 0;
        }
        long given;
        synchronized (this) {
            given = Math.max(0, Math.min(size, granted - inUse));
            granted -= given;
        }
        freeMemory(given);
        return given;
    }

    /** Gives everything back. Idempotent. */
    void close() {
        long rest;
        synchronized (this) {
            rest = granted;
            granted = 0;
        }
        freeMemory(rest);
    }
}
