// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.MapOutputTracker$;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.broadcast.BroadcastFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;

/**
 * Makes the broadcasts of a driver: in crail, or Spark's own for those that are small. Thread-safe.
 *
 * <p>Spark's own are also those of map statuses, which executors deserialise without the classes of
 * an application's jars, those of null, and those that the store refuses.
 */
final class CrailBroadcastFactory implements BroadcastFactory {
    private static final Logger LOG = LoggerFactory.getLogger(CrailBroadcastFactory.class);

    private final SparkEnv env;
    private final BroadcastFactory sparks;
    private final StoreLease lease;
    private final long minSize;
    private final ConcurrentHashMap<Long, Kept<?>> values = new ConcurrentHashMap<>();

    /**
     * A value that is in the store. Refers to it softly only: whoever holds the broadcast keeps the
     * value with the block manager, and when nobody does, Spark destroys it. Of values that only
     * tasks use, it is all that the driver has.
     */
    private record Kept<T>(
            StoredValue stored, int writes, SoftReference<T> value, ClassTag<T> tag) {}

    /**
     * @param lease of the application's store; given back by {@link #stop}
     * @param minSize bytes of a serialised value from which on it goes to crail
     */
    CrailBroadcastFactory(SparkEnv env, BroadcastFactory sparks, StoreLease lease, long minSize) {
        this.env = env;
        this.sparks = sparks;
        this.lease = lease;
        this.minSize = minSize;
    }

    @Override
    public void initialize(boolean isDriver, SparkConf conf) {
        // All is known at construction.
    }

    @Override
    public <T> Broadcast<T> newBroadcast(
            T value, boolean isLocal, long id, boolean serializedOnly, ClassTag<T> tag) {
        StoredValue stored = isForSpark(value) ? null : tryWrite(id, value, tag);
        if (stored == null) {
            return sparks.newBroadcast(value, isLocal, id, serializedOnly, tag);
        }
        values.put(id, new Kept<>(stored, 1, new SoftReference<>(value), tag));
        ValueCache cache = new ValueCache(env, id);
        if (serializedOnly && !ValueCache.driverRunsTasks(env)) {
            // As Spark's own does: the driver does not use it, and has better use for its memory.
            cache.remember(value);
        } else {
            cache.keep(value, tag);
        }
        return new CrailBroadcast<>(id, value, stored, serializedOnly, tag);
    }

    /** What can be told of without serialising it, such as the tasks of a stage. */
    private boolean isForSpark(@Nullable Object value) {
        if (value == null) {
            return true;
        }
        if (PrimitiveArrays.isOne(value)) {
            return PrimitiveArrays.size(value) < minSize;
        }
        return value instanceof byte[][] && isMapStatuses();
    }

    private static boolean isMapStatuses() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(
                        frames ->
                                frames.anyMatch(
                                        frame ->
                                                frame.getDeclaringClass()
                                                        == MapOutputTracker$.class));
    }

    /** Where the value is; null if it is too small, or cannot be written. */
    private <T> @Nullable StoredValue tryWrite(long id, T value, ClassTag<T> tag) {
        try (ChunkWriter out = writer(path(id, 0))) {
            try {
                return write(out, value, tag);
            } catch (IOException | RuntimeException e) {
                CrailException failure = out.failure();
                if (failure == null) {
                    throw Unchecked.rethrow(e);
                }
                LOG.warn(
                        "Broadcast {} is left to Spark, since it could not be written to crail: {}",
                        id,
                        failure.toString());
                return null;
            }
        }
    }

    private ChunkWriter writer(String path) {
        return new ChunkWriter(store(), path, ChunkCodec.of(env), minSize);
    }

    private <T> @Nullable StoredValue write(ChunkWriter out, T value, ClassTag<T> tag)
            throws IOException {
        ValueCodec codec = new ValueCodec(env);
        codec.write(value, tag, out);
        return out.finish(codec.writesJava(value));
    }

    private String path(long id, int writes) {
        return store().directory() + "/broadcast-" + id + (writes == 0 ? "" : "-" + writes);
    }

    private ApplicationStore store() {
        return lease.store();
    }

    /**
     * Writes a value again that a task could not read.
     *
     * @param lostPath where it looked
     * @return where it is now; null if the driver does not have it
     */
    @Nullable StoredValue writeAgain(long id, String lostPath) {
        Kept<?> after = values.computeIfPresent(id, (same, kept) -> again(id, kept, lostPath));
        return after == null || after.stored.path().equals(lostPath) ? null : after.stored;
    }

    /** Where it is after all: for the first that asks, it is written; the others look there. */
    private <T> Kept<T> again(long id, Kept<T> kept, String lostPath) {
        T value = kept.value.get();
        if (value == null || !kept.stored.path().equals(lostPath)) {
            return kept;
        }
        try (ChunkWriter out = writer(path(id, kept.writes))) {
            StoredValue stored = write(out, value, kept.tag);
            if (stored == null) {
                return kept;
            }
            removeFile(id, lostPath);
            return new Kept<>(stored, kept.writes + 1, kept.value, kept.tag);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Broadcast {} could not be written again: {}", id, e.toString());
            return kept;
        }
    }

    @Override
    public void unbroadcast(long id, boolean removeFromDriver, boolean blocking) {
        sparks.unbroadcast(id, removeFromDriver, blocking);
        Kept<?> kept = removeFromDriver ? values.remove(id) : null;
        if (kept != null) {
            removeFile(id, kept.stored.path());
        }
    }

    private void removeFile(long id, String path) {
        try {
            store().removeFile(path);
        } catch (CrailException e) {
            LOG.warn(
                    "Broadcast {} was not removed from {}; it will be with the application: {}",
                    id,
                    path,
                    e.toString());
        }
    }

    @Override
    public void stop() {
        sparks.stop();
        lease.close();
    }
}
