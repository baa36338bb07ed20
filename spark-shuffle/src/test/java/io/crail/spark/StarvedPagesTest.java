// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Pages that are sorted, in tasks that get hardly any memory. */
class StarvedPagesTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.memory.fraction", "0.005",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.crail.shuffle.write.maxStreams", "1");
    }
}
