// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.error.CrailException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.read.CrailShuffleReader;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import io.crail.spark.write.CrailShuffleWriter;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.shuffle.ShuffleWriteMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark's shuffle manager on crail. Thread-safe. Set by {@link CrailSparkPlugin}, not by the
 * application.
 *
 * <p>It is a sort shuffle manager in name only: Spark copies each row of SQL before it writes it
 * for any other kind, in case the manager keeps rows; writers of crail serialise a row at once, or
 * leave it to Spark's sorter only where SQL does not come.
 */
public final class CrailShuffleManager extends SortShuffleManager {
    private static final Logger LOG = LoggerFactory.getLogger(CrailShuffleManager.class);

    private final SparkConf conf;
    private final boolean isDriver;
    private volatile @Nullable StoreLease lease;
    private boolean stopped;

    /**
     * A manager that connects when it is first used: on the driver, it hardly ever is.
     *
     * @param isDriver whether shuffles that nobody needs any more are removed here
     */
    public CrailShuffleManager(SparkConf conf, boolean isDriver) {
        super(conf);
        this.conf = conf;
        this.isDriver = isDriver;
    }

    /** Connects, if need be, without the monitor: who stops the manager must not wait for it. */
    private ApplicationStore store() {
        StoreLease present = lease;
        if (present != null) {
            return present.store();
        }
        try {
            StoreLease joined = ApplicationStores.OF_THIS_JVM.join(conf);
            StoreLease kept = keep(joined);
            if (kept != joined) {
                joined.close();
            }
            if (kept == null) {
                throw new IllegalStateException("the shuffle manager of crail is stopped");
            }
            return kept.store();
        } catch (CrailException e) {
            throw Unchecked.rethrow(e);
        }
    }

    /** The lease that counts; null if it is too late for any. */
    private synchronized @Nullable StoreLease keep(StoreLease joined) {
        if (lease == null && !stopped) {
            lease = joined;
        }
        return lease;
    }

    @Override
    public <K, V, C> ShuffleHandle registerShuffle(
            int shuffleId, ShuffleDependency<K, V, C> dependency) {
        return new BaseShuffleHandle<>(shuffleId, dependency);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> ShuffleWriter<K, V> getWriter(
            ShuffleHandle handle,
            long mapId,
            TaskContext context,
            ShuffleWriteMetricsReporter metrics) {
        return new CrailShuffleWriter<>(
                store(),
                ((BaseShuffleHandle<K, V, Object>) handle).dependency(),
                mapId,
                context,
                metrics);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, C> ShuffleReader<K, C> getReader(
            ShuffleHandle handle,
            int startMapIndex,
            int endMapIndex,
            int startPartition,
            int endPartition,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        return new CrailShuffleReader<>(
                store(),
                ((BaseShuffleHandle<K, Object, C>) handle).dependency(),
                SparkEnv.get()
                        .mapOutputTracker()
                        .getMapSizesByExecutorId(
                                handle.shuffleId(),
                                startMapIndex,
                                endMapIndex,
                                startPartition,
                                endPartition),
                startPartition,
                context,
                metrics);
    }

    /**
     * Lets go of what this JVM has open. On the driver it also removes the files, as the driver
     * components do, which Spark asks when it forgets a shuffle: whichever comes second finds none.
     */
    @Override
    public boolean unregisterShuffle(int shuffleId) {
        StoreLease present = lease;
        if (present != null) {
            present.store().outputs().forget(shuffleId);
        }
        return !isDriver || remove(shuffleId);
    }

    /** Not by a new connection: where the application has ended, all of it is removed. */
    private boolean remove(int shuffleId) {
        try (StoreLease used = ApplicationStores.OF_THIS_JVM.present(conf).orElse(null)) {
            if (used != null) {
                used.store().removeShuffle(shuffleId);
            }
            return true;
        } catch (CrailException e) {
            LOG.warn("Shuffle {} was not removed; it will be with its application", shuffleId, e);
            return false;
        }
    }

    @Override
    public void stop() {
        StoreLease present;
        synchronized (this) {
            stopped = true;
            present = lease;
            lease = null;
        }
        if (present != null) {
            present.close();
        }
        super.stop();
    }
}
