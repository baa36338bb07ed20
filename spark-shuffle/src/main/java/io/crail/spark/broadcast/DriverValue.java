// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.BroadcastCount;
import java.io.IOException;
import java.lang.ref.SoftReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;

/**
 * What the driver knows of a value that is in the store. Refers to the value softly only: whoever
 * holds the broadcast keeps the value with the block manager, and when nobody does, Spark destroys
 * it. Of values that only tasks use, it is all that the driver has, and it is worth having: without
 * it a storage server that is lost takes the joins of running queries along. Thread-safe; what is
 * written again keeps only those waiting that ask for this value.
 */
final class DriverValue<T> {
    private static final Logger LOG = LoggerFactory.getLogger(DriverValue.class);

    /** Writes a value to a path; null if it need not be in the store after all. */
    interface Writing {
        <V> @Nullable StoredValue write(long id, String path, V value, ClassTag<V> tag)
                throws IOException;
    }

    private final ApplicationStore store;
    private final long id;
    private final SoftReference<T> value;
    private final ClassTag<T> tag;
    private StoredValue stored;
    private int writes = 1;
    private boolean removed;

    DriverValue(ApplicationStore store, long id, T value, ClassTag<T> tag, StoredValue stored) {
        this.store = store;
        this.id = id;
        this.value = new SoftReference<>(value);
        this.tag = tag;
        this.stored = stored;
    }

    /** Where a value is written for the first time, or after so many. */
    static String path(ApplicationStore store, long id, int writes) {
        return store.directory() + "/broadcast-" + id + (writes == 0 ? "" : "-" + writes);
    }

    /**
     * Where it is after all: for the first that asks it is written; the others look there.
     *
     * @param lostPath where it could not be read
     * @return null if it cannot be written again
     */
    synchronized @Nullable StoredValue writeAgain(String lostPath, Writing writing) {
        if (removed) {
            return null;
        }
        T present = value.get();
        if (stored.path().equals(lostPath) && present != null) {
            try {
                StoredValue again = writing.write(id, path(store, id, writes), present, tag);
                if (again != null) {
                    writes++;
                    store.broadcasts().add(BroadcastCount.VALUES_WRITTEN_AGAIN);
                    removeFile();
                    stored = again;
                }
            } catch (IOException | RuntimeException e) {
                LOG.warn("Broadcast {} could not be written again: {}", id, e.toString());
            }
        }
        return stored.path().equals(lostPath) ? null : stored;
    }

    /** Removes it from the store. */
    synchronized void remove() {
        removed = true;
        removeFile();
    }

    private void removeFile() {
        try {
            store.removeFile(stored.path());
        } catch (CrailException e) {
            LOG.warn(
                    "Broadcast {} was not removed from {}; it will be with the application: {}",
                    id,
                    stored.path(),
                    e.toString());
        }
    }
}
