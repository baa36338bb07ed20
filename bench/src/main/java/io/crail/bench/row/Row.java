// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.stage.Result;
import java.io.IOException;
import java.util.List;

/** One row of the table of targets, with a result for each of its settings. */
public interface Row {
    /** Its name in the table. */
    String name();

    /** Measures it. Whatever it puts into the cluster it removes, unless that would be in vain. */
    List<Result> measure(Stage stage) throws IOException;
}
