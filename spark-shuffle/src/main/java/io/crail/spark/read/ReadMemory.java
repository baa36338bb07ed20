// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;

/**
 * What a reduce task may fetch ahead. It is taken from Spark's memory once, for the first bytes
 * that are copied: mostly when the task begins and nobody else needs it, because asking for more
 * later would make the sorter of the same task spill. Who reads all in place takes none. When the
 * others need it, what is not in use goes back.
 *
 * <p>{@link #tryUse} is for one thread at a time; all else is for any. Spark's memory is asked for
 * without our monitor, which Spark takes, by {@link #spill}, while it holds its own.
 *
 * <p>There is always room for one fetch, or the task could not go on.
 */
final class ReadMemory extends MemoryConsumer {
    private final long wanted;
    private boolean asked;
    private long inUse;

    /** What is left of what was taken: it goes back once, whoever gives it. */
    private long granted;

    /**
     * Has none yet.
     *
     * @param wanted bytes to take
     */
    ReadMemory(TaskMemoryManager manager, long wanted) {
        super(manager, manager.getTungstenMemoryMode());
        this.wanted = wanted;
    }

    /** Whether so many bytes may be used; if so, they are. */
    boolean tryUse(long bytes) {
        if (!asked) {
            asked = true;
            long got = wanted > 0 ? acquireMemory(wanted) : 0;
            synchronized (this) {
                granted += got;
            }
        }
        synchronized (this) {
            if (inUse > 0 && inUse + bytes > granted) {
                return false;
            }
            inUse += bytes;
            return true;
        }
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
