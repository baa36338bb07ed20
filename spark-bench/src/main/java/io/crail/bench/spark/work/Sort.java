// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Job;
import io.crail.spark.sort.ByteArrayFormat;
import io.crail.spark.sort.FixedSizeSerializer;
import io.crail.spark.sort.FixedSizeShuffles;
import io.crail.spark.sort.UnsignedBytesOrdering;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Records of 100 bytes sorted by the 10 bytes of their keys. Keys are spread evenly, so that ranges
 * are known without looking at them. A little more than half of a value is random: with the key,
 * two thirds of a record are left when it is compressed. Records are made anew in each round, as
 * they would be read, since they do not fit into memory beside their sorted copy.
 */
final class Sort implements Workload {
    private static final int KEY = 10;
    private static final int VALUE = 90;
    private static final int RANDOM = 50;

    private final JavaPairRDD<byte[], byte[]> records;
    private final int reducers;
    private final boolean fixedSize;

    /**
     * A sort.
     *
     * @param fixedSize whether the shuffle is told that all records have one size, by crail's
     *     serializer; else Spark's own is used
     */
    Sort(JavaSparkContext spark, Job job, boolean fixedSize) {
        this.fixedSize = fixedSize;
        int maps = job.size("maps");
        int each = job.size("records");
        records =
                Tags.keyed(
                        spark.parallelize(IntStream.range(0, maps).boxed().toList(), maps)
                                .flatMapToPair(map -> records(map, each)));
        reducers = job.size("reducers");
    }

    private static Iterator<Tuple2<byte[], byte[]>> records(int map, int records) {
        SplittableRandom random = new SplittableRandom(map);
        byte[] some = new byte[RANDOM];
        return new Generated<>(
                records,
                any -> {
                    byte[] key = new byte[KEY];
                    random.nextBytes(key);
                    random.nextBytes(some);
                    return new Tuple2<>(key, Arrays.copyOf(some, VALUE));
                });
    }

    @Override
    public long run(boolean whole) {
        List<Long> digests =
                sorted().mapPartitionsWithIndex(
                                (index, sorted) -> digest(index, sorted, whole), false)
                        .collect();
        return digests.stream().mapToLong(digest -> digest).sum();
    }

    private JavaPairRDD<byte[], byte[]> sorted() {
        KeyRanges ranges = new KeyRanges(reducers);
        return fixedSize
                ? FixedSizeShuffles.repartitionAndSortWithinPartitions(
                        records,
                        ranges,
                        new FixedSizeSerializer<>(new ByteArrayFormat(KEY, VALUE)),
                        new UnsignedBytesOrdering())
                : records.repartitionAndSortWithinPartitions(ranges, new KeyOrder());
    }

    /** The number of the partition counts, and, for the whole, the order. */
    private static Iterator<Long> digest(
            int index, Iterator<Tuple2<byte[], byte[]>> sorted, boolean whole) {
        long sum = index;
        byte @Nullable [] last = null;
        while (sorted.hasNext()) {
            Tuple2<byte[], byte[]> record = sorted.next();
            byte[] key = record._1();
            if (whole && last != null && Arrays.compareUnsigned(last, key) > 0) {
                throw new IllegalStateException("partition " + index + " is not sorted");
            }
            last = key;
            sum += Digest.of(Digest.of(key, whole) + index, Digest.of(record._2(), whole));
        }
        return List.of(sum).iterator();
    }
}
