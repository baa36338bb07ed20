// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was measured of a row, whatever crail was compared with. */
public sealed interface SparkOutcome permits SparkResult, FlashResult {
    /** Of the row. */
    String name();

    /** Whether results of the two sides were compared; they are the same then. */
    boolean isCompared();

    /** As an object for JSON, in the order in which people read it. */
    Map<String, @Nullable Object> json();
}
