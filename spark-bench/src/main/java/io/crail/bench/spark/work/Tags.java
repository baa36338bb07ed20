// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import org.apache.spark.api.java.JavaPairRDD;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Says what pairs consist of, as Scala would: Spark has a better serialiser for primitive types and
 * their arrays, and takes it only if it is told.
 */
final class Tags {
    private Tags() {}

    /** Of whole numbers and bytes. */
    @SuppressWarnings("unchecked")
    static JavaPairRDD<Integer, byte[]> numbered(JavaPairRDD<Integer, byte[]> pairs) {
        ClassTag<Integer> numbers = (ClassTag<Integer>) (ClassTag<?>) ClassTag$.MODULE$.Int();
        return JavaPairRDD.fromRDD(pairs.rdd(), numbers, bytes());
    }

    /** Of bytes and bytes. */
    static JavaPairRDD<byte[], byte[]> keyed(JavaPairRDD<byte[], byte[]> pairs) {
        return JavaPairRDD.fromRDD(pairs.rdd(), bytes(), bytes());
    }

    private static ClassTag<byte[]> bytes() {
        return ClassTag$.MODULE$.apply(byte[].class);
    }
}
