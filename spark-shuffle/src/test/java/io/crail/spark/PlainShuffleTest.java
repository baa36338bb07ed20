// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Not compressed, with the smallest buffers and windows. */
class PlainShuffleTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.shuffle.compress", "false",
                "spark.crail.shuffle.write.bufferSize", "64k",
                "spark.crail.shuffle.write.maxBytesInFlight", "0",
                "spark.crail.shuffle.read.maxBytesInFlight", "1m",
                "spark.crail.shuffle.read.openOutputs", "1");
    }
}
