// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * The job of {@link DriverMain} when a seed is set: a task reads a broadcast from crail, although
 * its JVM made it, and waits in the middle until a file appears.
 */
final class BroadcastJob {
    /** The key that says what is in the broadcast. */
    static final String SEED = "spark.test.broadcastSeed";

    static final String READING = "reading";

    private static final int BYTES = 6 << 20;

    private BroadcastJob() {}

    static boolean isWanted(SparkConf conf) {
        return conf.contains(SEED);
    }

    /** Of what the task read. */
    static long run(JavaSparkContext spark, Path go) {
        long seed = spark.getConf().getLong(SEED, 0);
        Broadcast<Object[]> broadcast =
                spark.broadcast(
                        new Object[] {
                            bytes(seed, 1), new Pause(go.toString()), bytes(seed, 2),
                        });
        BroadcastCopies.forget(broadcast);
        return spark.parallelize(List.of(0), 1)
                .map(any -> sum((byte[]) broadcast.value()[0], (byte[]) broadcast.value()[2]))
                .first();
    }

    /** What comes out if it is what was broadcast. */
    static long rightSum(long seed) {
        return sum(bytes(seed, 1), bytes(seed, 2));
    }

    private static long sum(byte[] first, byte[] second) {
        return 31L * Arrays.hashCode(first) + Arrays.hashCode(second);
    }

    private static byte[] bytes(long seed, int part) {
        byte[] bytes = new byte[BYTES];
        new Random(31 * seed + part).nextBytes(bytes);
        return bytes;
    }

    /** Makes the task that reads it say so, and wait. */
    private static final class Pause implements Serializable {
        private static final long serialVersionUID = 1;

        private final String until;

        Pause(String until) {
            this.until = until;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            if (TaskContext.get() != null) {
                DriverMain.say(READING);
                DriverMain.await(Path.of(until));
            }
        }
    }
}
