// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/** Told what is being measured. */
public interface SparkProgress {
    /** The next row begins. */
    void row(String name);

    /** What happens within it. */
    void step(String what);
}
