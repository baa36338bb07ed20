// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Records that must keep their places are sorted by Spark. */
class SortedBySparkTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of("spark.crail.shuffle.write.maxStreams", "1");
    }
}
