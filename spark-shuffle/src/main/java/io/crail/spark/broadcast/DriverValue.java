// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.BroadcastCount;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the driver knows of a value that is in the store. Thread-safe; what is written again keeps
 * only those waiting that ask for this value.
 */
final class DriverValue {
    private static final Logger LOG = LoggerFactory.getLogger(DriverValue.class);

    /** How a value is written again. */
    @FunctionalInterface
    interface Source {
        /** Writes it to a path; null if it is not there, or need not be in the store after all. */
        @Nullable StoredValue writeTo(String path) throws IOException;
    }

    private final ApplicationStore store;
    private final long id;
    private final Source source;
    private StoredValue stored;
    private int writes = 1;
    private boolean removed;

    DriverValue(ApplicationStore store, long id, StoredValue stored, Source source) {
        this.store = store;
        this.id = id;
        this.stored = stored;
        this.source = source;
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
    synchronized @Nullable StoredValue writeAgain(String lostPath) {
        if (removed) {
            return null;
        }
        if (stored.path().equals(lostPath)) {
            try {
                StoredValue again = source.writeTo(path(store, id, writes));
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
