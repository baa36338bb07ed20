// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkEnv;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;

/**
 * The reading of a value by the first task of an executor that needs it. If the file cannot be
 * read, the driver is asked to write it again, once; what fails then fails the task, which Spark
 * repeats.
 */
final class BroadcastReading {
    private static final Logger LOG = LoggerFactory.getLogger(BroadcastReading.class);

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
            try {
                return read(lease, stored, tag);
            } catch (CancelledException e) {
                throw e;
            } catch (CrailException e) {
                return readAgain(lease, tag, e);
            }
        }
    }

    private <T> T readAgain(StoreLease lease, ClassTag<T> tag, CrailException first)
            throws IOException {
        StoredValue again = DriverLink.OF_THIS_JVM.writeAgain(broadcast, stored.path());
        if (again == null) {
            throw CrailException.of(
                    first.code(),
                    "broadcast "
                            + broadcast
                            + " cannot be read from "
                            + stored.path()
                            + ", and the driver does not have the value any more: "
                            + first.getMessage()
                            + ". Create the broadcast again (for a join of SQL: run the query"
                            + " again).",
                    first);
        }
        LOG.warn(
                "Broadcast {} could not be read from {}, the driver has written it to {}: {}",
                broadcast,
                stored.path(),
                again.path(),
                first.toString());
        return read(lease, again, tag);
    }

    private <T> T read(StoreLease lease, StoredValue from, ClassTag<T> tag) throws IOException {
        long start = System.nanoTime();
        try (ChunkReader reader =
                ChunkReader.open(lease.store().client(), from, ChunkCodec.of(env))) {
            T value = new ValueCodec(env).read(from, reader, tag);
            LOG.info(
                    "Reading broadcast variable {}, {} bytes of {}, took {} ms",
                    broadcast,
                    from.length(),
                    from.path(),
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            return value;
        }
    }
}
