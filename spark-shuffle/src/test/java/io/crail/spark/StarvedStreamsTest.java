// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Streams for each partition, in tasks that get hardly any memory. */
class StarvedStreamsTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of("spark.memory.fraction", "0.005");
    }
}
