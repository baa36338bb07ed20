// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Job;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A new broadcast and its first job, in which each executor needs it. All tasks of the job run at
 * the same time, so that each executor with its one core has one.
 */
final class BroadcastValue implements Workload {
    private final JavaSparkContext spark;
    private final byte[] value;
    private final int executors;
    private @Nullable Broadcast<byte[]> broadcast;

    BroadcastValue(JavaSparkContext spark, Job job) {
        this.spark = spark;
        value = new byte[job.size("bytes")];
        new SplittableRandom(1).nextBytes(value);
        executors = job.size("executors");
    }

    @Override
    public long run(boolean whole) {
        Broadcast<byte[]> sent = spark.broadcast(value);
        broadcast = sent;
        JavaRDD<Integer> tasks =
                spark.parallelize(IntStream.range(0, executors).boxed().toList(), executors);
        ClassTag<Long> tag = ClassTag$.MODULE$.apply(Long.class);
        Object digests =
                tasks.rdd().barrier().mapPartitions(new Look(sent, whole), false, tag).collect();
        long sum = 0;
        for (Object digest : (Object[]) digests) {
            sum += (Long) digest;
        }
        return sum;
    }

    @Override
    public void forget() {
        if (broadcast != null) {
            broadcast.destroy();
            broadcast = null;
        }
    }

    /** What a task does with the value. */
    private record Look(Broadcast<byte[]> sent, boolean whole)
            implements scala.Function1<
                            scala.collection.Iterator<Integer>, scala.collection.Iterator<Long>>,
                    java.io.Serializable {
        @Override
        public scala.collection.Iterator<Long> apply(scala.collection.Iterator<Integer> tasks) {
            Iterator<Long> digest = List.of(Digest.of(sent.value(), whole)).iterator();
            return scala.jdk.javaapi.CollectionConverters.asScala(digest);
        }
    }
}
