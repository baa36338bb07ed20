// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.spark.basic.PrimitiveArrays;
import io.crail.spark.interop.ClassTags;
import java.lang.ref.SoftReference;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.KnownSizeEstimation;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.reflect.ClassTag;

/**
 * Values of broadcasts that this JVM has. They are with Spark's block manager, which accounts for
 * them, evicts them, and removes them when the driver says so. Thread-safe.
 *
 * <p>Those that were read are kept in memory only: what was evicted is read from crail again, which
 * is faster than from a local disk. If there is no room for a value, a block that refers to it
 * softly is kept in its place, so that not every task reads it, and so that it goes when the block
 * is removed.
 */
final class ValueCache {
    private static final String SOFT = "soft";
    private static final StorageLevel MEMORY_ONLY = StorageLevel.MEMORY_ONLY();

    private final SparkEnv env;
    private final BroadcastBlockId block;
    private final BroadcastBlockId softBlock;

    ValueCache(SparkEnv env, long broadcast) {
        this.env = env;
        this.block = new BroadcastBlockId(broadcast, "");
        this.softBlock = new BroadcastBlockId(broadcast, SOFT);
    }

    /** Whether there are no executors but the driver. */
    static boolean driverRunsTasks(SparkEnv env) {
        String master = env.conf().get("spark.master", "");
        return master.equals("local") || master.startsWith("local[");
    }

    /** Stands for a value without being as large. */
    private static final class SoftValue extends SoftReference<Object>
            implements KnownSizeEstimation {
        private static final long BYTES = 64;

        SoftValue(Object value) {
            super(value);
        }

        @Override
        public long estimatedSize() {
            return BYTES;
        }
    }

    /** The value, if this JVM has it. */
    @Nullable Object find() {
        Object known = env.broadcastManager().cachedValues().get(block);
        if (known != null) {
            return known;
        }
        Object local = local(block);
        if (local == null && local(softBlock) instanceof SoftValue soft) {
            local = soft.get();
        }
        if (local != null) {
            env.broadcastManager().cachedValues().put(block, local);
        }
        return local;
    }

    private @Nullable Object local(BlockId id) {
        BlockManager blocks = env.blockManager();
        Option<BlockResult> found = blocks.getLocalValues(id);
        if (found.isEmpty()) {
            return null;
        }
        Object value = found.get().data().next();
        release(id);
        return value;
    }

    /** A task holds the block as long as it runs, so that what it uses stays accounted for. */
    private void release(BlockId id) {
        BlockManager blocks = env.blockManager();
        TaskContext task = TaskContext.get();
        if (task == null) {
            blocks.releaseLock(id, Option.empty());
        } else {
            Option<TaskContext> holder = Option.apply(task);
            TaskCompletionListener atEnd = context -> blocks.releaseLock(id, holder);
            var unused = task.addTaskCompletionListener(atEnd);
        }
    }

    /** Keeps a value that was read, as far as there is memory. */
    <T> void keep(T value, ClassTag<T> tag) {
        keep(value, MEMORY_ONLY, tag);
    }

    /**
     * Keeps the value of a driver, who must not lose it: on disk, where memory is short. Kryo has a
     * limit to the size of an array, which Spark would meet there and nowhere else: it takes Kryo
     * for arrays whose tag says what they are, so there is none; and where it takes Kryo for
     * everything, arrays are in memory only.
     */
    <T> void keepOnDriver(T value) {
        boolean toDisk =
                env.serializer().getClass() == JavaSerializer.class
                        || !PrimitiveArrays.isNested(value);
        StorageLevel level = toDisk ? StorageLevel.MEMORY_AND_DISK() : MEMORY_ONLY;
        keep(value, level, ClassTags.<T>any());
    }

    private <T> void keep(T value, StorageLevel level, ClassTag<T> tag) {
        BlockManager blocks = env.blockManager();
        if (!blocks.putSingle(block, value, level, false, tag)) {
            var unused =
                    blocks.putSingle(
                            softBlock,
                            new SoftValue(value),
                            MEMORY_ONLY,
                            false,
                            ClassTags.<SoftValue>any());
        }
        remember(value);
    }

    /** Notes a value that somebody else keeps. */
    void remember(Object value) {
        env.broadcastManager().cachedValues().put(block, value);
    }
}
