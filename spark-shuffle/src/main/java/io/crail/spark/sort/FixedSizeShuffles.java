// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.spark.interop.ClassTags;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.rdd.ShuffledRDD;
import scala.math.Ordering;

/** Shuffles of records of a fixed size, for programs in Java. */
public final class FixedSizeShuffles {
    private FixedSizeShuffles() {}

    /**
     * As {@code repartitionAndSortWithinPartitions} of Spark, with a serialiser for this shuffle.
     *
     * @param order of the keys; {@link UnsignedBytesOrdering} for arrays of bytes
     */
    public static <K, V> JavaPairRDD<K, V> repartitionAndSortWithinPartitions(
            JavaPairRDD<K, V> records,
            Partitioner partitioner,
            FixedSizeSerializer<K, V> serializer,
            Ordering<K> order) {
        ShuffledRDD<K, V, V> shuffled =
                new ShuffledRDD<K, V, V>(
                        records.rdd(),
                        partitioner,
                        ClassTags.any(),
                        ClassTags.any(),
                        ClassTags.any());
        shuffled.setSerializer(serializer).setKeyOrdering(order);
        return new JavaPairRDD<>(shuffled, ClassTags.any(), ClassTags.any());
    }
}
