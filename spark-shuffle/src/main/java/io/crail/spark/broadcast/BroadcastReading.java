// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.BroadcastCount;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;

/**
 * The reading of a value by the first task of an executor that needs it. If the file cannot be
 * read, the driver is asked to write it again; what fails then fails the task, which Spark repeats.
 */
final class BroadcastReading {
    private static final Logger LOG = LoggerFactory.getLogger(BroadcastReading.class);

    /**
     * Files that a task tries: the one it knows, one that another task had written, and one more.
     */
    private static final int ATTEMPTS = 3;

    private final SparkEnv env;
    private final long broadcast;
    private final StoredValue stored;

    BroadcastReading(SparkEnv env, long broadcast, StoredValue stored) {
        this.env = env;
        this.broadcast = broadcast;
        this.stored = stored;
    }

    <T> T read(ClassTag<T> tag) throws IOException {
        try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(env.conf())) {
            StoredValue from = stored;
            for (int attempt = 1; ; attempt++) {
                try {
                    return read(lease, from, tag);
                } catch (CancelledException e) {
                    throw e;
                } catch (CrailException e) {
                    from = elsewhere(from, attempt, e);
                }
            }
        }
    }

    /** Where the driver has it now. */
    private StoredValue elsewhere(StoredValue lost, int attempt, CrailException cause)
            throws CrailException {
        StoredValue again =
                attempt == ATTEMPTS
                        ? null
                        : DriverLink.OF_THIS_JVM.writeAgain(broadcast, lost.path());
        if (again == null) {
            throw CrailException.of(
                    cause.code(),
                    "broadcast "
                            + broadcast
                            + " cannot be read from "
                            + lost.path()
                            + ", and the driver cannot write it again: "
                            + cause.getMessage()
                            + ". If it was not destroyed, see the log of the driver, and create it"
                            + " again (for a join of SQL: run the query again).",
                    cause);
        }
        LOG.warn(
                "Broadcast {} could not be read from {}, it is now at {}: {}",
                broadcast,
                lost.path(),
                again.path(),
                cause.toString());
        return again;
    }

    private <T> T read(StoreLease lease, StoredValue from, ClassTag<T> tag) throws IOException {
        long start = System.nanoTime();
        try (ChunkMemory memory = new ChunkMemory(env, broadcast);
                ChunkReader reader =
                        ChunkReader.open(lease.store(), from, ChunkCodec.of(env), memory)) {
            T value = new ValueCodec(env).read(from, reader, tag);
            long nanos = System.nanoTime() - start;
            lease.store().broadcasts().add(BroadcastCount.VALUES_READ);
            lease.store().broadcasts().add(BroadcastCount.READ_NANOS, nanos);
            LOG.info(
                    "Reading broadcast variable {}, {} bytes of {}, took {} ms",
                    broadcast,
                    from.length(),
                    from.path(),
                    TimeUnit.NANOSECONDS.toMillis(nanos));
            return value;
        }
    }
}
