// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;

/** One combination of what is measured, and how. */
public interface LoadRow {
    /** For people who wait: what is measured. */
    String title();

    /** Where its processes run; {@link Arena} sees to it. */
    Setting cores();

    /** Client processes that take part, this one included. */
    default int processes() {
        return 1;
    }

    /**
     * Measures it.
     *
     * @param number of the row: names of what it makes in the cluster contain it
     */
    Result measure(Arena arena, int number) throws IOException;
}
