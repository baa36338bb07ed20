// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Left to the sorter of Spark. */
class FixedSizeBySparkTest extends FixedSizeContract {
    @Override
    Map<String, String> settings() {
        return Map.of("spark.crail.shuffle.sorter", "spark");
    }

    /** It does not account for so little. */
    @Override
    long memoryOfTasks() {
        return 0;
    }
}
