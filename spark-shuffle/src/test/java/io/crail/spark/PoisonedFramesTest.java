// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Frames that are read in place, of memory that is overwritten when it is given back. */
class PoisonedFramesTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.crail.client.views.poison", "true",
                "spark.shuffle.compress", "true",
                "spark.io.compression.lz4.blockSize", "256k");
    }
}
