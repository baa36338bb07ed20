// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.bench.stage.Progress;

/** Told what is being measured. */
public interface SparkProgress extends Progress<SparkOutcome> {
    /** What happens within a row. */
    void step(String what);
}
