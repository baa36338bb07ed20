// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.api.ShuffleDataIO;
import org.apache.spark.shuffle.api.ShuffleDriverComponents;
import org.apache.spark.shuffle.api.ShuffleExecutorComponents;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;

/**
 * Tells Spark's driver that shuffle blocks outlive executors, and removes them. Set by {@link
 * CrailSparkPlugin}, not by the application.
 */
public final class CrailShuffleDataIO implements ShuffleDataIO {
    private final SparkConf conf;

    /** As Spark makes it. */
    public CrailShuffleDataIO(SparkConf conf) {
        this.conf = conf;
    }

    @Override
    public ShuffleDriverComponents driver() {
        return new CrailDriverComponents(conf);
    }

    /** Never used: writers of crail do not go this way. */
    @Override
    public ShuffleExecutorComponents executor() {
        return new LocalDiskShuffleDataIO(conf).executor();
    }
}
