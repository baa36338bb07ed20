// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.error.CrailException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Spark's driver does with shuffles as a whole. Thread-safe. */
final class CrailDriverComponents implements ShuffleDriverComponents {
    private static final Logger LOG = LoggerFactory.getLogger(CrailDriverComponents.class);

    private final SparkConf conf;
    private volatile @Nullable StoreLease lease;

    CrailDriverComponents(SparkConf conf) {
        this.conf = conf;
    }

    @Override
    public Map<String, String> initializeApplication() {
        try {
            lease = ApplicationStores.OF_THIS_JVM.join(conf);
            return Map.of();
        } catch (CrailException e) {
            throw Unchecked.rethrow(e);
        }
    }

    /** Shuffle blocks survive the executors that wrote them. */
    @Override
    public boolean supportsReliableStorage() {
        return true;
    }

    /** Executors let go of what they have open, and all of it is removed by one call. */
    @Override
    public void removeShuffle(int shuffleId, boolean blocking) {
        StoreLease present = lease;
        if (present == null) {
            return;
        }
        SparkEnv.get().blockManager().master().removeShuffle(shuffleId, blocking);
        try {
            present.store().removeShuffle(shuffleId);
        } catch (CrailException e) {
            LOG.warn(
                    "Shuffle {} was not removed from {}; it will be with the application: {}",
                    shuffleId,
                    present.store().directory(),
                    e.toString());
        }
    }

    @Override
    public void cleanupApplication() {
        StoreLease present = lease;
        lease = null;
        if (present == null) {
            return;
        }
        present.store().removeAll();
        present.close();
    }
}
