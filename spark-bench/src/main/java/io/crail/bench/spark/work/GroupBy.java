// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Job;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Random keys with random values, grouped: {@code GroupByTest} of Spark's examples, whose pairs are
 * kept in memory before, too.
 */
final class GroupBy implements Workload {
    private final JavaPairRDD<Integer, byte[]> pairs;
    private final int reducers;

    GroupBy(JavaSparkContext spark, Job job) {
        int maps = job.size("maps");
        int records = job.size("records");
        int bytes = job.size("bytes");
        pairs =
                Tags.numbered(
                        spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                                .flatMapToPair(map -> records(map, records, bytes)));
        reducers = job.size("reducers");
    }

    private static Iterator<Tuple2<Integer, byte[]>> records(int map, int records, int bytes) {
        SplittableRandom random = new SplittableRandom(map);
        return new Generated<>(
                records,
                any -> {
                    byte[] value = new byte[bytes];
                    random.nextBytes(value);
                    return new Tuple2<>(random.nextInt(Integer.MAX_VALUE), value);
                });
    }

    @Override
    public void prepare() {
        pairs.persist(StorageLevel.MEMORY_ONLY());
        pairs.count();
    }

    @Override
    public long run(boolean whole) {
        List<Long> digests =
                pairs.groupByKey(reducers).mapPartitions(groups -> digest(groups, whole)).collect();
        return digests.stream().mapToLong(digest -> digest).sum();
    }

    private static Iterator<Long> digest(
            Iterator<Tuple2<Integer, Iterable<byte[]>>> groups, boolean whole) {
        long sum = 0;
        while (groups.hasNext()) {
            Tuple2<Integer, Iterable<byte[]>> group = groups.next();
            long values = 0;
            for (byte[] value : group._2()) {
                values += Digest.of(value, whole);
            }
            sum += Digest.of(group._1(), values);
        }
        return List.of(sum).iterator();
    }
}
