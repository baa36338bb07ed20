// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.KeyLock;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * A broadcast variable whose value is in crail. Thread-safe. Every task gets an object of its own,
 * but the value is read once for an executor: the first task reads it while the others wait, and
 * all find it in the {@link ValueCache} then.
 *
 * <p>Public because the code that Spark's SQL generates names the class; made by Spark's broadcast
 * manager only.
 *
 * @param <T> type of the value
 */
public final class CrailBroadcast<T> extends Broadcast<T> {
    private static final long serialVersionUID = 1;

    /** One reader at a time for each value; by path, which tells applications apart. */
    private static final KeyLock<String> READING = new KeyLock<>();

    private final StoredValue stored;
    private final boolean serializedOnly;

    @SuppressWarnings("serial") // It comes from Spark, and is in all its broadcasts.
    private final ClassTag<T> tag;

    private transient @Nullable Reference<T> value;

    /**
     * @param serializedOnly whether the driver need not keep the value, since only tasks use it
     */
    CrailBroadcast(long id, T value, StoredValue stored, boolean serializedOnly, ClassTag<T> tag) {
        super(id, tag);
        this.stored = stored;
        this.serializedOnly = serializedOnly;
        this.tag = tag;
        this.value = reference(value, serializedOnly);
    }

    private static <T> Reference<T> reference(T value, boolean serializedOnly) {
        return serializedOnly ? new WeakReference<>(value) : new SoftReference<>(value);
    }

    @Override
    public synchronized T getValue() {
        Reference<T> reference = value;
        T known = reference == null ? null : reference.get();
        if (known == null) {
            known = findOrRead();
            value = reference(known, serializedOnly);
        }
        return known;
    }

    private T findOrRead() {
        return READING.withLock(
                stored.path(),
                () -> {
                    try {
                        return findOrReadLocked();
                    } catch (IOException e) {
                        throw Unchecked.rethrow(e);
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private T findOrReadLocked() throws IOException {
        SparkEnv env = SparkEnv.get();
        ValueCache cache = new ValueCache(env, id());
        Object present = cache.find();
        if (present != null) {
            return (T) present;
        }
        T read = new BroadcastReading(env, id(), stored).read(tag);
        if (serializedOnly && !ValueCache.driverRunsTasks(env) && TaskContext.get() == null) {
            cache.remember(read);
        } else {
            cache.keep(read, tag);
        }
        return read;
    }

    @Override
    public void doUnpersist(boolean blocking) {
        SparkEnv.get().broadcastManager().unbroadcast(id(), false, blocking);
    }

    /** On the driver, which knows of the file; a task may do it, too. */
    @Override
    public void doDestroy(boolean blocking) {
        SparkEnv env = SparkEnv.get();
        env.broadcastManager().unbroadcast(id(), true, blocking);
        if (!env.broadcastManager().isDriver()) {
            try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(env.conf())) {
                lease.store().removeFile(stored.path());
            } catch (CrailException e) {
                throw Unchecked.rethrow(e);
            }
        }
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
        assertValid();
        out.defaultWriteObject();
    }
}
