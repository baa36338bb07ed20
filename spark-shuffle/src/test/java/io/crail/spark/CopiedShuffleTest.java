// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Every byte is copied before it is used, as those are that come over a network. */
class CopiedShuffleTest extends ShuffleContract {
    @Override
    Map<String, String> settings() {
        return Map.of("spark.crail.shuffle.read.views", "false");
    }
}
