// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.memory.MemoryStore;

/**
 * Spark's memory for chunks of one value that are under way: loaded or coded ahead of their use.
 * Belongs to one thread, that of the task, or of the driver.
 *
 * <p>It is what Spark calls unroll memory: of values that are on their way to the block manager. It
 * is accounted to the task, or to the driver where there is no task, and granted or refused at
 * once. Execution memory, which shuffles take, would not do: a task that asks for it may wait until
 * others give some back, and these may wait for the value that this task reads.
 *
 * <p>One chunk is always under way, whatever is granted, or nothing would go on.
 */
final class ChunkMemory implements AutoCloseable {
    /** A chunk as it is in the value, and as it is stored. */
    private static final long BYTES = 2L * Chunk.SIZE;

    private final MemoryStore memory;
    private final BroadcastBlockId block;
    private int taken;

    ChunkMemory(SparkEnv env, long broadcast) {
        this.memory = env.blockManager().memoryStore();
        this.block = new BroadcastBlockId(broadcast, "");
    }

    /** Whether there is memory for a chunk more; if so, it is taken. */
    boolean tryTake() {
        if (!memory.reserveUnrollMemoryForThisTask(block, BYTES, MemoryMode.ON_HEAP)) {
            return false;
        }
        taken++;
        return true;
    }

    /** Gives the memory of so many chunks back. */
    void giveBack(int chunks) {
        if (chunks > 0) {
            taken -= chunks;
            memory.releaseUnrollMemoryForThisTask(MemoryMode.ON_HEAP, chunks * BYTES);
        }
    }

    /** Gives everything back. Idempotent. */
    @Override
    public void close() {
        giveBack(taken);
    }
}
