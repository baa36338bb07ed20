// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.spark.basic.PrimitiveArrays;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.BroadcastCount;
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
    private final ConcurrentHashMap<Long, DriverValue> values = new ConcurrentHashMap<>();

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
        // As in Spark's own: the driver does not use it, and has better use for its memory.
        boolean forTasks = serializedOnly && !ValueCache.driverRunsTasks(env);
        StoredCopy copy = forTasks ? new StoredCopy(env, id) : null;
        StoredValue stored = isForSpark(value) ? null : tryWrite(id, value, tag, copy);
        if (stored == null) {
            lease.store().broadcasts().add(BroadcastCount.VALUES_LEFT_TO_SPARK);
            return sparks.newBroadcast(value, isLocal, id, serializedOnly, tag);
        }
        values.put(
                id,
                new DriverValue(lease.store(), id, stored, source(id, value, tag, stored, copy)));
        ValueCache cache = new ValueCache(env, id);
        if (forTasks) {
            cache.remember(value);
        } else {
            cache.keepOnDriver(value);
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
    private <T> @Nullable StoredValue tryWrite(
            long id, T value, ClassTag<T> tag, @Nullable StoredCopy copy) {
        String path = DriverValue.path(lease.store(), id, 0);
        try (ChunkMemory memory = new ChunkMemory(env, id);
                ChunkWriter out = writer(path, memory, copy)) {
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
                lease.store().broadcasts().add(BroadcastCount.VALUES_REFUSED);
                return null;
            }
        }
    }

    private ChunkWriter writer(String path, ChunkMemory memory, @Nullable StoredCopy copy) {
        return new ChunkWriter(lease.store(), path, ChunkCodec.of(env), memory, copy, minSize);
    }

    private <T> @Nullable StoredValue write(ChunkWriter out, T value, ClassTag<T> tag)
            throws IOException {
        ValueCodec codec = new ValueCodec(env);
        codec.write(value, tag, out);
        return out.finish(codec.writesJava(value));
    }

    /**
     * Writes a value again that a task could not read.
     *
     * @param lostPath where it looked
     * @return where it is now; null if the driver does not have it
     */
    @Nullable StoredValue writeAgain(long id, String lostPath) {
        DriverValue value = values.get(id);
        return value == null ? null : value.writeAgain(lostPath);
    }

    /** How a value is written again: as it was, from its copy, or else from the value itself. */
    private <T> DriverValue.Source source(
            long id, T value, ClassTag<T> tag, StoredValue stored, @Nullable StoredCopy copy) {
        if (copy != null && copy.isComplete()) {
            return path -> writeAgain(path, stored, copy);
        }
        SoftReference<T> known = new SoftReference<>(value);
        return path -> writeAgain(id, path, known, tag);
    }

    private StoredValue writeAgain(String path, StoredValue stored, StoredCopy copy)
            throws IOException {
        long length = stored.length() + Chunk.tableSize(stored.chunks());
        CrailOutputStream out = lease.store().createFile(path, length);
        boolean written = false;
        try {
            copy.writeTo(out);
            out.close();
            written = true;
        } finally {
            if (!written) {
                lease.store().discard(out);
            }
        }
        return stored.at(path);
    }

    @SuppressWarnings("unchecked")
    private <T> @Nullable StoredValue writeAgain(
            long id, String path, SoftReference<T> known, ClassTag<T> tag) throws IOException {
        T value = known.get();
        if (value == null) {
            // Garbage collectors take what is on disk.
            value = (T) new ValueCache(env, id).find();
        }
        if (value == null) {
            return null;
        }
        try (ChunkMemory memory = new ChunkMemory(env, id);
                ChunkWriter out = writer(path, memory, null)) {
            return write(out, value, tag);
        }
    }

    @Override
    public void unbroadcast(long id, boolean removeFromDriver, boolean blocking) {
        sparks.unbroadcast(id, removeFromDriver, blocking);
        DriverValue value = removeFromDriver ? values.remove(id) : null;
        if (value != null) {
            value.remove();
        }
    }

    @Override
    public void stop() {
        sparks.stop();
        lease.close();
    }
}
