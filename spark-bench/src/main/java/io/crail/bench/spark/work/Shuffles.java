// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;

/**
 * Takes shuffles away when they have been measured. Spark does it when the collector of the driver
 * finds that nobody uses them any more, which can be at any time, in the middle of a round too.
 */
final class Shuffles extends SparkListener {
    private final SparkContext spark;
    private final Set<Integer> present = ConcurrentHashMap.newKeySet();

    Shuffles(SparkContext spark) {
        this.spark = spark;
    }

    @Override
    public void onStageSubmitted(SparkListenerStageSubmitted event) {
        if (event.stageInfo().shuffleDepId().isDefined()) {
            present.add((Integer) event.stageInfo().shuffleDepId().get());
        }
    }

    /** Removes all that there are; they are gone when this returns. */
    void remove() {
        try {
            spark.listenerBus().waitUntilEmpty();
        } catch (TimeoutException e) {
            throw new IllegalStateException("Spark does not tell its events", e);
        }
        for (Integer each : present) {
            spark.cleaner().get().doCleanupShuffle(each, true);
        }
        present.clear();
    }
}
