// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** There is hardly any memory, and few streams may be open. */
class StarvedFixedSizeTest extends FixedSizeContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.memory.fraction", "0.0005", "spark.crail.shuffle.write.maxStreams", "1");
    }

    @Override
    boolean spills() {
        return true;
    }
}
