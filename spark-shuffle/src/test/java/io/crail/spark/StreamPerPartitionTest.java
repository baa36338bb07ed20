// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** As Spark is by itself: a stream for each partition, by Java's serialiser. */
class StreamPerPartitionTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of();
    }
}
