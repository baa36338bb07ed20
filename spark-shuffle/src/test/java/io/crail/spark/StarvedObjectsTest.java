// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Sorted as objects, for which there is not enough memory: Spark's own sorter gets them. */
class StarvedObjectsTest extends FixedSizeContract {
    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.crail.shuffle.sorter", "spark",
                "spark.memory.fraction", "0.0005",
                "spark.shuffle.spill.initialMemoryThreshold", "1k");
    }

    @Override
    boolean spills() {
        return true;
    }
}
