// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Job;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A record from each map for each reducer: what a block costs, whatever its size. */
final class SmallBlocks implements Workload {
    private final JavaPairRDD<Integer, byte[]> pairs;
    private final int reducers;

    SmallBlocks(JavaSparkContext spark, Job job) {
        int maps = job.size("maps");
        int bytes = job.size("bytes");
        int each = job.size("reducers");
        pairs =
                Tags.numbered(
                        spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                                .flatMapToPair(map -> records(map, each, bytes)));
        reducers = each;
    }

    private static Iterator<Tuple2<Integer, byte[]>> records(int map, int records, int bytes) {
        SplittableRandom random = new SplittableRandom(map);
        return new Generated<>(
                records,
                key -> {
                    byte[] value = new byte[bytes];
                    random.nextBytes(value);
                    return new Tuple2<>(key, value);
                });
    }

    @Override
    public long run(boolean whole) {
        List<Long> digests =
                pairs.partitionBy(new HashPartitioner(reducers))
                        .mapPartitions(records -> digest(records, whole))
                        .collect();
        return digests.stream().mapToLong(digest -> digest).sum();
    }

    private static Iterator<Long> digest(Iterator<Tuple2<Integer, byte[]>> records, boolean whole) {
        long sum = 0;
        while (records.hasNext()) {
            Tuple2<Integer, byte[]> record = records.next();
            sum += Digest.of(record._1(), Digest.of(record._2(), whole));
        }
        return List.of(sum).iterator();
    }
}
