// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;

/** Where a sort puts records that have no place in memory. Belongs to the thread of the task. */
public interface SpillSpace {
    /**
     * A new file.
     *
     * @param memory bytes of memory that will be free when it is written, for Spark's metrics
     */
    SpillFile create(long memory) throws IOException;
}
