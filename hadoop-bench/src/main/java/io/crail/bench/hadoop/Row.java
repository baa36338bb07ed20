// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Result;
import java.io.IOException;
import java.util.List;

/** One row of the table, with a result for each of its settings. */
interface Row {
    /** Its name in the table. */
    String name();

    /** Measures it. Whatever it puts into the stores it removes, unless it fails. */
    List<Result> measure(Stores stores, Effort effort) throws IOException;

    /** The load of the machine now. */
    static double load() {
        return ProcessorTime.load();
    }
}
