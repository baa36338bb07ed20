// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.io.IOException;
import scala.Product2;
import scala.collection.Iterator;

/** A way to bring records to their partitions. Belongs to the thread of the task. */
interface PartitionedOutput<K, V> extends AutoCloseable {
    /** Writes all records; everything is appended when it returns. */
    void writeAll(Iterator<? extends Product2<K, V>> records) throws IOException;

    /** Gives back what it holds. Idempotent. */
    @Override
    void close();
}
