// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The settings of Spark by which it leaves its shuffles to crail. */
final class ShuffleTakeover {
    private static final Logger LOG = LoggerFactory.getLogger(ShuffleTakeover.class);

    private static final String MANAGER = "spark.shuffle.manager";
    private static final String IO = "spark.shuffle.sort.io.plugin.class";
    private static final String REDUCE_LOCALITY = "spark.shuffle.reduceLocality.enabled";
    private static final String UNREGISTER_HOST = "spark.files.fetchFailure.unRegisterOutputOnHost";
    private static final String PUSH = "spark.shuffle.push.enabled";
    private static final String TRACKING = "spark.dynamicAllocation.shuffleTracking.enabled";

    private ShuffleTakeover() {}

    /**
     * Sets them, as plug-ins are loaded before most of Spark.
     *
     * @throws IllegalStateException if the application wants its shuffles elsewhere
     */
    static void take(SparkConf conf) {
        take(
                conf,
                MANAGER,
                CrailShuffleManager.class,
                "sort",
                "tungsten-sort",
                SortShuffleManager.class.getName());
        take(conf, IO, CrailShuffleDataIO.class, LocalDiskShuffleDataIO.class.getName());
        // The storage is elsewhere: no executor is nearer to a block than another. The tracker of
        // Spark 4 has read it by now, so it counts only where the application sets it itself.
        conf.setIfMissing(REDUCE_LOCALITY, "false");
        // An executor that goes takes no output along, so none is kept for the sake of them.
        conf.setIfMissing(TRACKING, "false");
        switchOff(
                conf,
                UNREGISTER_HOST,
                "all map outputs would count as lost with the first that cannot be read, since"
                        + " none of them is on a host of Spark's");
        switchOff(
                conf,
                PUSH,
                "crail keeps map outputs itself, so there are no local files that could be pushed"
                        + " to a shuffle service");
    }

    /** Sets a class, unless the application wants another one. */
    private static void take(SparkConf conf, String key, Class<?> ours, String... usual) {
        String present = conf.get(key, ours.getName());
        boolean free = present.equals(ours.getName());
        for (String each : usual) {
            free |= present.equalsIgnoreCase(each); // Spark does not look at case in short names
        }
        if (!free) {
            throw new IllegalStateException(
                    key
                            + " is "
                            + present
                            + ", and crail needs it to be "
                            + ours.getName()
                            + ": leave it out, or set spark.crail.shuffle.enabled=false");
        }
        conf.set(key, ours.getName());
    }

    /** Sets a key to false, and says so where the application has it true. */
    private static void switchOff(SparkConf conf, String key, String reason) {
        if (conf.getBoolean(key, false)) {
            LOG.warn("{}=true is ignored for shuffles in crail: {}.", key, reason);
        }
        conf.set(key, "false");
    }
}
