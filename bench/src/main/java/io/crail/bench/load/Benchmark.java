// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import java.util.List;

/** All rows of what a user has asked for. */
public interface Benchmark {
    /** The rows, in the order of the table. */
    List<LoadRow> rows();

    /** Bytes that the storage servers must have free. */
    long capacity();

    /** Bytes of mapped memory that the limits need. */
    int limitBytes();
}
