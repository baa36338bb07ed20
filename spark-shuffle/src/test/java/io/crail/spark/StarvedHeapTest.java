// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Pages that are off the heap, in tasks that get hardly any heap for what is kept of records. */
class StarvedHeapTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.memory.offHeap.enabled", "true",
                "spark.memory.offHeap.size", "64m",
                "spark.memory.fraction", "0.0005",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.crail.shuffle.write.maxStreams", "1");
    }
}
