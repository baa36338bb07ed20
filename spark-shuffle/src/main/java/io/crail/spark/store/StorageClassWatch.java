// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.ClientStatistics.Moved;
import io.crail.client.CrailClient;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that bytes go to another storage class than they should, because that one is full, and
 * says so once. Thread-safe.
 */
final class StorageClassWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StorageClassWatch.class);

    private final CrailClient client;
    private final String directory;
    private final int preferred;
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * Of a client that writes for one application.
     *
     * @param preferred the class that all should go to
     */
    StorageClassWatch(CrailClient client, String directory, int preferred) {
        this.client = client;
        this.directory = directory;
        this.preferred = preferred;
    }

    /** Bytes that were written to other classes than the preferred one. */
    long bytesElsewhere() {
        return elsewhere(client.clientStatistics().storageClasses());
    }

    private long elsewhere(Map<Integer, Moved> classes) {
        return classes.entrySet().stream()
                .filter(each -> each.getKey() != preferred)
                .mapToLong(each -> each.getValue().bytesWritten())
                .sum();
    }

    /** Looks at the counters; says something the first time that bytes went elsewhere. */
    void look() {
        Map<Integer, Moved> classes = client.clientStatistics().storageClasses();
        if (elsewhere(classes) > 0 && told.compareAndSet(false, true)) {
            LOG.warn(
                    "Storage class {} of crail is full: {} MiB of {} went to other, slower ones from"
                            + " here so far. What is in the way: shuffles that Spark has not"
                            + " forgotten yet, other applications, or too few storage servers of"
                            + " the class.",
                    preferred,
                    (elsewhere(classes) >> 20) + 1,
                    directory);
        }
    }
}
