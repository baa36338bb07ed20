// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Records that may change places go by way of pages. */
class SortedPagesTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.crail.shuffle.write.maxStreams", "1");
    }
}
