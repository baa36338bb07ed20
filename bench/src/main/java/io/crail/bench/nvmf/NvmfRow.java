// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.stage.Result;
import java.io.IOException;
import java.util.List;

/** One row, with a result for each of its settings. */
interface NvmfRow {
    /** Its name. */
    String name();

    /** Whether what is in the file is lost. */
    boolean writes();

    List<Result> measure(Arena arena) throws IOException;
}
