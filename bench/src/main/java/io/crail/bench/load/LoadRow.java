// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Result;
import java.io.IOException;

/** One combination of what is measured, and how. */
public interface LoadRow {
    /** For people who wait: what is measured. */
    String title();

    /**
     * Measures it.
     *
     * @param number of the row: names of what it makes in the cluster contain it
     */
    Result measure(Arena arena, int number) throws IOException;
}
