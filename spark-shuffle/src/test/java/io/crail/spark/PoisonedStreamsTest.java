// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** As {@link PoisonedFramesTest}, by Spark's own codec, which keeps buffers of its own. */
class PoisonedStreamsTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.crail.client.views.poison", "true",
                "spark.io.compression.codec", "zstd",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    }
}
